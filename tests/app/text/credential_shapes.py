"""Made credentials and made look-alikes, always the same from one seed."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
SENTENCES = (
    "{}",
    "Use {} for the deployment.",
    "The key of the staging account: {}",
    "export VALUE={}",
    '{{"value": "{}"}}',
    "- note to self\n- {}\n- done",
    "curl -H 'Authorization: Bearer {}' https://api.host.test",
    "it is `{}`, ask Ann if it stops",
)
WORDS = ("river", "stone", "lamp", "orange", "window", "garden", "copper", "violin", "maple")

Make = Callable[[random.Random], str]


def letters(rng: random.Random, alphabet: str, size: int) -> str:
    return "".join(rng.choice(alphabet) for _ in range(size))


def b64url(rng: random.Random, size: int) -> str:
    return base64.urlsafe_b64encode(rng.randbytes(size)).decode().rstrip("=")


def jwt(rng: random.Random) -> str:
    head = base64.urlsafe_b64encode(json.dumps({"alg": "HS256", "typ": "JWT"}).encode()).decode()
    claims = json.dumps({"sub": letters(rng, string.digits, 10), "iat": rng.randrange(10**9)})
    body = base64.urlsafe_b64encode(claims.encode()).decode()
    return f"{head.rstrip('=')}.{body.rstrip('=')}.{b64url(rng, 32)}"


def private_key(rng: random.Random) -> str:
    what = rng.choice(["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
    lines = "\n".join(base64.b64encode(rng.randbytes(48)).decode() for _ in range(8))
    return f"-----BEGIN {what}PRIVATE KEY-----\n{lines}\n-----END {what}PRIVATE KEY-----"


def checked(digits: str) -> str:
    """With the digit that makes Luhn's sum come out."""
    for last in "0123456789":
        total = 0
        for place, digit in enumerate(reversed(digits + last)):
            value = int(digit) * (2 if place % 2 else 1)
            total += value - 9 if value > 9 else value
        if total % 10 == 0:
            return digits + last
    raise AssertionError(digits)


def card(rng: random.Random) -> str:
    start, size = rng.choice([("4", 16), ("51", 16), ("55", 16), ("37", 15), ("6011", 16)])
    digits = checked(start + letters(rng, string.digits, size - len(start) - 1))
    if size == 15:
        return rng.choice([digits, f"{digits[:4]} {digits[4:10]} {digits[10:]}"])
    between = rng.choice(["", " ", "-"])
    return between.join(digits[n : n + 4] for n in range(0, 16, 4))


def chosen_password(rng: random.Random) -> str:
    word = rng.choice(WORDS).capitalize()
    return f"{word}{rng.choice('!#+&?')}{rng.randrange(10, 9999)}{letters(rng, ALNUM, 3)}"


def assigned(rng: random.Random) -> str:
    name = rng.choice(["password", "DB_PASSWORD", "passwd", "api_key", "client_secret", "Passwort"])
    between = rng.choice([": ", "=", " = ", ": '", " is "])
    value = rng.choice([chosen_password(rng), letters(rng, ALNUM, 32) + "7a"])
    return f"{name}{between}{value}" + ("'" if between.endswith("'") else "")


REAL: tuple[Make, ...] = (
    lambda rng: "AKIA" + letters(rng, string.ascii_uppercase + "234567", 16),
    lambda rng: f"gh{rng.choice('pousr')}_" + letters(rng, ALNUM, 36),
    lambda rng: f"github_pat_{letters(rng, ALNUM, 22)}_{letters(rng, ALNUM, 59)}",
    lambda rng: "glpat-" + letters(rng, ALNUM + "_-", 19) + "x",
    lambda rng: f"xoxb-{rng.randrange(10**11, 10**12)}-{letters(rng, ALNUM, 24)}",
    lambda rng: f"sk_live_{letters(rng, ALNUM, 24)}",
    lambda rng: f"sk-proj-{b64url(rng, 36)}",
    lambda rng: f"sk-ant-api03-{b64url(rng, 69)}AA",
    lambda rng: "AIza" + letters(rng, ALNUM + "_-", 34) + "q",
    lambda rng: "npm_" + letters(rng, ALNUM, 36),
    lambda rng: "pypi-AgEIcHlwaS5vcmc" + b64url(rng, 60),
    lambda rng: "hf_" + letters(rng, ALNUM, 34),
    lambda rng: f"SG.{b64url(rng, 16)}.{b64url(rng, 32)}",
    lambda rng: "dop_v1_" + letters(rng, HEX, 64),
    lambda rng: "kps_" + b64url(rng, 32),
    lambda rng: f"{rng.randrange(10**8, 10**9)}:AA{letters(rng, ALNUM + '_-', 32)}z",
    jwt,
    private_key,
    card,
    card,
    assigned,
    assigned,
    lambda rng: f"postgres://app:{chosen_password(rng)}@db.host.test:5432/shop",
    lambda rng: f"AccountKey={base64.b64encode(rng.randbytes(64)).decode()}",
    lambda rng: "aws_secret_access_key = " + letters(rng, ALNUM + "+/", 39) + "4",
)


def failing_card(rng: random.Random) -> str:
    digits = card(rng)
    last = str((int(digits[-1]) + rng.randrange(1, 9)) % 10)
    return digits[:-1] + last


def uuid(rng: random.Random) -> str:
    text = letters(rng, HEX, 32)
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-a{text[17:20]}-{text[20:]}"


def words(rng: random.Random, count: int, between: str) -> str:
    return between.join(rng.choice(WORDS) for _ in range(count))


LOOK_ALIKES: tuple[Make, ...] = (
    lambda rng: letters(rng, HEX, 40),  # a commit
    lambda rng: "sha256:" + letters(rng, HEX, 64),
    uuid,
    failing_card,
    lambda rng: f"order {rng.randrange(10**11, 10**12)} and invoice {rng.randrange(10**7, 10**8)}",
    lambda rng: f"+49 {rng.randrange(100, 999)} {rng.randrange(10**6, 10**7)}",
    lambda rng: f"978-3-{rng.randrange(10, 99)}-{rng.randrange(10**5, 10**6)}-{rng.randrange(10)}",
    lambda rng: f"1{rng.randrange(10**15, 10**16 - 1)}"[:16],  # microseconds since 1970
    lambda rng: f"DE{rng.randrange(10, 99)} 5001 0517 {letters(rng, string.digits, 4)} 0243 21",
    lambda rng: f"The password is in 1Password, under {words(rng, 2, ' ')}.",
    lambda rng: f"password: <your {words(rng, 1, '')} password>",
    lambda rng: f"DB_PASSWORD=${{{words(rng, 2, '_').upper()}}}",
    lambda rng: f"api_key = os.environ['{words(rng, 2, '_').upper()}']",
    lambda rng: f"token_count: {rng.randrange(1000, 10**9)}",
    lambda rng: f"The secret is {words(rng, 1, '')}-{words(rng, 1, '')} soup.",
    lambda rng: f"sk-learn-{words(rng, 3, '-')}-for-beginners",
    lambda rng: f"The token {words(rng, 1, '')}Token is parsed in {words(rng, 2, '_')}.py",
    lambda rng: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{letters(rng, ALNUM, 42)} ann@desk",
    lambda rng: "-----BEGIN PUBLIC KEY-----\n" + base64.b64encode(rng.randbytes(60)).decode(),
    lambda rng: f"https://host.test/{words(rng, 2, '/')}?page={rng.randrange(99)}&id={uuid(rng)}",
    lambda rng: f"/home/ann/{words(rng, 3, '/')}/{letters(rng, HEX, 12)}.txt",
    lambda rng: f"version {rng.randrange(9)}.{rng.randrange(20)}.{rng.randrange(99)}-rc1+build.77",
    lambda rng: f"passwords must have {rng.randrange(8, 20)} characters and a symbol",
    lambda rng: f"auth: {words(rng, 1, '')}_{words(rng, 1, '')}_provider",
    lambda rng: f"integrity sha512-{base64.b64encode(rng.randbytes(64)).decode()}",
)


def corpus(makers: tuple[Make, ...], count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    made = []
    for number in range(count):
        text = makers[number % len(makers)](rng)
        quiet = makers is LOOK_ALIKES and "secret" not in text
        sentences = SENTENCES[:2] + SENTENCES[5:6] if quiet else SENTENCES[:1]
        if makers is REAL:
            sentences = SENTENCES
        made.append(rng.choice(sentences).format(text))
    return made
