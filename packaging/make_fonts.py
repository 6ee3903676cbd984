"""Make resources/fonts from the published faces: the same outlines under a name of our own.

    npm pack @expo-google-fonts/inter@0.4.2 @expo-google-fonts/jetbrains-mono@0.4.1
    pip install fonttools
    python packaging/make_fonts.py FOLDER_OF_THE_UNPACKED_PACKAGES resources/fonts

Qt joins a bundled face with an installed one of the same name and takes some weights and the
slanted styles from either, so the window would look another way where another Inter is installed.
Both licences reserve no name. Code is shown letter by letter: the mono face loses its ligatures.
The window sets all its text with tabular figures; Inter's hyphens, spaces and stops would get a
figure's width with them and tear words like `us-east-1` apart, so only figures are left in there.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

from fontTools.ttLib import TTFont

INTER, MONO = ("Inter", "Keepsake Inter"), ("JetBrains Mono", "Keepsake Mono")
FACES = (
    ("inter", "400Regular/Inter_400Regular.ttf", "Inter-Regular.ttf", INTER),
    ("inter", "500Medium/Inter_500Medium.ttf", "Inter-Medium.ttf", INTER),
    ("inter", "600SemiBold/Inter_600SemiBold.ttf", "Inter-SemiBold.ttf", INTER),
    ("inter", "700Bold/Inter_700Bold.ttf", "Inter-Bold.ttf", INTER),
    ("jetbrains-mono", "400Regular/JetBrainsMono_400Regular.ttf", "Mono-Regular.ttf", MONO),
)
LICENCES = (("inter", "OFL-Inter.txt"), ("jetbrains-mono", "OFL-JetBrainsMono.txt"))
FIGURES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
NAMES_OF_FAMILY = (1, 4, 16)  # family, full name, typographic family
NAMES_WITHOUT_SPACES = (3, 6, 25)  # unique, PostScript, variations


def renamed(source: Path, names: tuple[str, str]) -> TTFont:
    face = TTFont(source, recalcTimestamp=False)
    for record in face["name"].names:
        old, new = names
        if record.nameID in NAMES_WITHOUT_SPACES:
            old, new = old.replace(" ", ""), new.replace(" ", "")
        if record.nameID in NAMES_OF_FAMILY + NAMES_WITHOUT_SPACES:
            record.string = record.toUnicode().replace(old, new)
    return face


def only_figures(face: TTFont) -> None:
    """Takes out of `tnum` what is no figure."""
    table = face["GSUB"].table
    features = [f.Feature for f in table.FeatureList.FeatureRecord if f.FeatureTag == "tnum"]
    for number in {index for feature in features for index in feature.LookupListIndex}:
        for part in table.LookupList.Lookup[number].SubTable:
            part = getattr(part, "ExtSubTable", part)
            kept = {a: b for a, b in part.mapping.items() if a.partition(".")[0] in FIGURES}
            part.mapping = kept


def make(packages: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    sums = []
    for package, source, name, names in FACES:
        face = renamed(packages / package / source, names)
        if names is MONO:
            del face["GSUB"]
        else:
            only_figures(face)
        face.save(target / name, reorderTables=False)
        sums.append(f"{hashlib.sha256((target / name).read_bytes()).hexdigest()}  {name}\n")
    (target / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    for package, name in LICENCES:
        (target / name).write_bytes((packages / package / "LICENSE_FONT").read_bytes())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", type=Path)
    parser.add_argument("target", type=Path)
    given = parser.parse_args()
    make(given.packages, given.target)
