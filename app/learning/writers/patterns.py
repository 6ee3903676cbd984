"""What a sentence is, told by its shape: preferences, relationships, instructions, dates. Pure.

The patterns read the first person, as people write to an assistant. A sentence that fits none is
an observation; whether that is worth keeping is for the extractive writer to weigh.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.text.days import names_a_day
from app.text.sentences import words
from app.text.words import SPEECH_STOP_WORDS


@dataclass(frozen=True, slots=True)
class Shape:
    """What a sentence was recognised as, and how surely it is worth keeping (0 to 1)."""

    kind: str
    importance: int
    strength: float
    topics: tuple[str, ...] = ()


_VERY = (
    r"(?:(?:really|absolutely|also|just|still|totally|do|always|usually|generally|mostly"
    r"|much|personally|now)\s+)*"
)
_I = rf"\bI\s+{_VERY}"
_AM = rf"\b(?:I['’]m|I am|I['’]ve been|I have been)\s+{_VERY}"
_KIN = (
    r"(?:wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|mother|mom|mum|father|dad"
    r"|parents?|son|"
    r"daughters?|sons|kids?|child|children|baby|brothers?|sisters?|siblings?|uncle|aunt|"
    r"cousins?|niece|nephew|"
    r"grand\w+|in-laws|family)"
)
_PEOPLE = (
    rf"(?:{_KIN}|friends?|best friend|boss|manager|colleagues?|coworkers?|co-workers?|"
    rf"teammates?|assistant|"
    r"mentor|teacher|doctor|therapist|landlord|neighbou?rs?|roommate|client|customer|"
    r"team|dog|cat|puppy|"
    r"kitten|pets?|horse)"
)
_DIET = (
    r"(?:vegetarian|vegan|pescatarian|lactose.intolerant|gluten.free|coeliac|celiac|diabetic|"
    r"allergic|intolerant|kosher|halal|teetotal)"
)
_PLACES = r"(?:in|at|near|to|from)"

_TABLE: tuple[tuple[str, int, float, tuple[str, ...], str], ...] = (
    ("instruction", 8, 1.0, (), r"^(?:please\s+)?(?:always|never)\s+\w+"),
    (
        "instruction",
        8,
        1.0,
        (),
        r"\b(?:from now on|going forward|in (?:the )?future|by default|each time|every time|"
        r"whenever)\b.*\b(?:you|please|use|reply|answer|write|call|keep|avoid|include|start|"
        r"don['’]t|do not|remember|note)\b",
    ),
    (
        "instruction",
        7,
        0.95,
        (),
        r"^(?:please\s+)?(?:keep|make|avoid)\s+(?:your\s+|the\s+|all\s+)?(?:answers?|repl(?:y|ies)|"
        r"responses?|explanations?|messages?|emails?|summar(?:y|ies)|emojis?|jargon|bullet\w*)\b",
    ),
    (
        "instruction",
        8,
        0.95,
        (),
        r"^(?:please\s+)?(?:remember|make sure|be sure)\s+(?:to|that|you)\b",
    ),
    (
        "instruction",
        7,
        0.9,
        (),
        r"^(?:please\s+)?(?:don['’]t|do not|stop)\s+(?:ever\s+)?(?:use|using|write|writing|"
        r"call|calling|send|sending|add|adding|include|including|assume|mention|suggest|"
        r"commit|touch|reply|replying)\b",
    ),
    ("instruction", 7, 0.95, ("name",), r"^(?:please\s+)?(?:call|address)\s+me\b"),
    (
        "instruction",
        7,
        0.9,
        ("language",),
        r"^(?i:(?:please\s+)?(?:reply|answer|respond|write|speak)(?:\s+to me)?\s+(?:only\s+)?in)"
        r"\s+[A-Z]\w+",
    ),
    (
        "instruction",
        7,
        0.9,
        (),
        r"\bI\s+(?:want|need|expect|would like)\s+you\s+to\s+(?:always|never|only)\b|"
        r"\bI['’]d like you to (?:always|never|only)\b",
    ),
    (
        "preference",
        7,
        1.0,
        ("diet", "food"),
        rf"{_AM}(?:not\s+)?(?:\w+\s+)?{_DIET}\b|\bI\s+(?:can['’]t|cannot|don['’]t|never|"
        r"do not)\s+(?:eat|drink)\b|\ballerg(?:y|ies)\b",
    ),
    (
        "preference",
        6,
        0.9,
        (),
        rf"{_I}(?:like|love|enjoy|prefer|adore|hate|dislike|loathe|favou?r|can['’]t stand|"
        r"cannot stand)\b|\bI['’]d (?:rather|prefer)\b",
    ),
    (
        "preference",
        6,
        0.9,
        (),
        r"\bI\s+(?:don['’]t|do not)\s+(?:really\s+)?(?:like|want|enjoy|care for)\b|"
        rf"{_AM}(?:not\s+)?(?:a\s+(?:big|huge|great)?\s*fan of|keen on|fond of|into|"
        r"obsessed with|passionate about|crazy about|scared of|afraid of)\b",
    ),
    (
        "preference",
        6,
        0.95,
        (),
        r"\b(?:my|our)\s+(?:\w+\s+)?favou?rite\b|"
        r"\bis (?:one of )?my (?:all-time )?favou?rites?\b|\bmy go-to\b",
    ),
    (
        "relationship",
        6,
        0.95,
        ("people",),
        rf"\b[Mm]y\s+(?:\w+\s+)?{_PEOPLE}(?:['’]s name)?,?\s+(?:is|are|was|called|named|"
        r"[A-Z]\w+)",
    ),
    (
        "relationship",
        6,
        0.95,
        ("people",),
        rf"\b[A-Z]\w+(?:,| is| was)\s+(?:my|our)\s+(?:\w+\s+)?{_PEOPLE}\b",
    ),
    (
        "relationship",
        6,
        0.95,
        ("people",),
        rf"{_I}(?:work|collaborate|live|study|share|partner|team up)\s+(?:closely\s+)?with\b|"
        rf"{_I}(?:report|am married|got married|was married)\s+to\b|{_AM}(?:working|"
        rf"collaborating|living|studying)\s+with\b|{_AM}(?:married|engaged|single|divorced|"
        r"dating)\b",
    ),
    (
        "relationship",
        6,
        0.85,
        ("people",),
        rf"\b(?:I['’]ve got|{_I}have)\s+(?:an?|one|two|three|four|five|"
        rf"\d+)\s+(?:\w+\s+)?{_PEOPLE}\b",
    ),
    (
        "fact",
        8,
        1.0,
        ("name",),
        r"\b(?:[Mm]y (?:full |last |first |nick)?name is|I['’]m called|I go by)\b",
    ),
    (
        "fact",
        7,
        0.95,
        ("home",),
        rf"{_I}(?:live|grew up|was born|come|moved|relocated|reside)\s+(?:\w+\s+)?{_PLACES}\b"
        rf"|{_AM}(?:from|based in|living in|moving to|originally from)\b",
    ),
    (
        "fact",
        7,
        0.95,
        ("work",),
        rf"{_I}(?:work|worked|volunteer|volunteered)\s+(?:\w+\s+)?(?:at|for|as|in|on)\b|"
        rf"{_I}(?:run|own|founded|lead|manage|teach|study|studied|graduated|majored)\b|"
        rf"{_AM}(?:working|studying)\s+(?:at|for|as|on)\b|\b[Mm]y (?:job|company|employer|"
        r"business|role|title|degree|major|startup)\b",
    ),
    (
        "fact",
        7,
        0.95,
        (),
        r"\b[Mm]y\s+(?:\w+\s+)?(?:birthday|anniversary|address|e-?mail|phone|number|"
        r"time ?zone|age|hometown|country|car|laptop|computer|editor|stack|hobby|hobbies|"
        r"passion|goal|dream|plan)\b",
    ),
    (
        "fact",
        6,
        0.9,
        (),
        r"\b(?:[Ww]e|[Oo]ur (?:team|company))\s+(?:all\s+)?(?:use|uses|run|runs|deploy|deploys|"
        r"host|hosts|store|stores)\b|\b[Oo]ur\s+(?:\w+\s+){1,3}(?:is|are|runs|run|lives|"
        r"uses)\b",
    ),
    (
        "fact",
        6,
        0.85,
        (),
        rf"{_AM}(?:an?|the)\s+(?!(?:bit|little|lot|few)\b)\w+|{_AM}\d{{1,3}}\b|"
        rf"{_I}speak\s+[A-Z]",
    ),
    (
        "fact",
        6,
        0.75,
        (),
        rf"{_I}work\b|{_I}(?:use|drive|play|practi[cs]e|collect|train|write|paint|cook|read|own|"
        r"have had|have)\s+(?:an?|the|my|to|in|for|on|\d+|\w+s?)\b",
    ),
    (
        "decision",
        7,
        0.9,
        (),
        r"\b(?:we|I)(?:['’]ve| have)?\s+(?:\w+\s+)?(?:decided|agreed|chose|chosen|settled on"
        r"|picked)\b|\b(?:the decision is|let['’]s go with|we['’]ll go with|we will (?:use|"
        r"go with))\b",
    ),
    (
        "event",
        6,
        0.85,
        (),
        r"\b(?:deadline|appointment|meeting|due date|release|launch|exam|interview|wedding|"
        r"surgery|flight|conference|concert|tournament|competition)\b",
    ),
    (
        "event",
        5,
        0.75,
        (),
        r"\b(?:I|we)\s+(?:just\s+|recently\s+|also\s+|finally\s+)*(?:went|visited|attended|"
        r"started|finished|bought|sold|moved|joined|left|met|won|lost|adopted|got|took|saw|"
        r"made|signed up|applied|launched|opened|passed|received|graduated|travel+ed|hosted|"
        r"organi[sz]ed|built|painted|wrote|ran|broke|began|booked|tried|learned|signed|"
        r"created|participated|competed|performed|published|quit|hiked|planned|had)\b",
    ),
    (
        "event",
        5,
        0.7,
        (),
        rf"{_AM}(?:going to|planning|starting|taking|training|writing|building|learning|"
        r"trying|thinking (?:of|about)|looking (?:for|into)|hoping|getting)\b|"
        r"\b(?:I['’]ll be|I plan to|I want to|I hope to|I['’]d love to)\b",
    ),
)
# German and Spanish say the same things in other shapes; corrections and demands of any language.
_KIN_DE = (
    r"(?:Frau|Mann|Partner\w*|Chef\w*|Kolleg\w+|Tochter|Sohn|Schwester|Bruder|Mutter|Vater|Eltern|"
    r"Kind(?:er)?|Freund\w*|Nachbar\w*|Team\w*|Hund|Katze)"
)
_KIN_ES = (
    r"(?:mujer|marido|espos[ao]|pareja|jef[ea]|compañer[oa]|coleg[ao]|hij[oa]s?|herman[oa]s?|madre|"
    r"padre|amig[oa]|vecin[oa]|equipo|perr[oa]|gat[oa])"
)
_MONTHS = (
    r"(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|"
    r"de enero|de febrero|de marzo|de abril|de mayo|de junio|de julio|de agosto|de septiembre|"
    r"de octubre|de noviembre|de diciembre)"
)
_OTHER_TONGUES: tuple[tuple[str, int, float, tuple[str, ...], str], ...] = (
    (
        "instruction",
        8,
        1.0,
        (),
        r"^(?:bitte\s+)?[^\W\d_]+\s+(?:(?:mich|mir|bitte|dabei)\s+)*(?:immer|niemals|nie|stets)\b|"
        r"\b(?:ab jetzt|ab sofort|von jetzt an|in Zukunft|künftig|grundsätzlich)\b|"
        r"\b(?:wenn du|jedes Mal|sobald du)\b.*\b(?:immer|bitte|auch|nie|niemals)\b|"
        r"^(?:denk(?:e)? (?:bitte )?daran|vergiss (?:bitte )?nicht|merk(?:e)? dir)\b|"
        r"^nenn(?:e)? mich\b|"
        r"\b(?:verwende|benutze|schreib(?:e)?|nimm) (?:bitte )?(?:nie|niemals|immer|kein\w*|nur)\b",
    ),
    (
        "instruction",
        8,
        1.0,
        (),
        r"^(?:por favor,?\s+)?(?:nunca|siempre|jamás)\s+\w+|^[^\W\d_]+\s+siempre\b|"
        r"\b(?:a partir de ahora|de ahora en adelante|en adelante)\b|"
        r"\b(?:cuando|cada vez que|siempre que)\b.*\b(?:siempre|nunca|también|por favor)\b|"
        r"^(?:recuerda|ten en cuenta|no olvides|acuérdate)\b|^(?:por favor,?\s+)?no (?:uses|"
        r"escribas|"
        r"hagas|toques|añadas|borres|cambies)\b|^llámame\b",
    ),
    ("fact", 8, 1.0, ("name",), r"(?i)\b(?:ich heiße|mein Name ist|me llamo|mi nombre es)\b"),
    (
        "preference",
        6,
        0.9,
        (),
        r"\bich\s+(?:\w+\s+)?(?:mag|liebe|hasse|bevorzuge|verabscheue)\b|\bich\b.*\blieber\b|"
        r"\bmein\w*\s+(?:\w+\s+)?Lieblings\w+|\bmir (?:gefällt|gefallen)\b|\b(?:prefiero|"
        r"odio|detesto|"
        r"adoro|no soporto)\b|\bme (?:gustan?|encantan?)\b|\bmi \w+ (?:favorit|preferid)[oa]\b",
    ),
    (
        "fact",
        7,
        0.95,
        (),
        r"(?i)\bich\s+(?:wohne|lebe|komme|arbeite|studiere|leite|betreue|führe|unterrichte)\b|"
        r"\bich bin\s+(?!(?:mir|nicht|fertig|gespannt|dran|da|gleich|noch|schon|so)\b)\w+|"
        r"(?:^|[.,;] )(?:yo )?(?:vivo|trabajo|resido|nací|estudio|dirijo|soy|llevo)\s+\w+",
    ),
    (
        "relationship",
        6,
        0.95,
        ("people",),
        rf"\b(?:[Mm]eine?|[Uu]nsere?)\s+(?:\w+\s+)?{_KIN_DE}\b|\b[A-ZÄÖÜ]\w+ ist (?:meine?|"
        rf"unsere?)\b|"
        rf"\b(?:[Mm]i|[Nn]uestr[oa])\s+(?:\w+\s+)?{_KIN_ES}\b|"
        r"\b[A-ZÁÉÍÓÚÑ]\w+ es (?:mi|nuestr[oa])\b|\b[A-Z]\w+ is (?:my|our)\b",
    ),
    (
        "decision",
        7,
        0.95,
        (),
        r"\b(?:wir|ich) haben?\b.*\b(?:beschlossen|entschieden|vereinbart|geeinigt|"
        r"festgelegt|gewählt)\b|"
        r"\bwir (?:nehmen|bleiben bei|wechseln|steigen|setzen auf|einigen uns)\b|"
        r"\b(?:hemos|he) (?:decidido|acordado|elegido|optado|quedado)\b|"
        r"\b(?:decidimos|elegimos|acordamos|optamos)\b|\b(?:vamos|nos quedamos|seguimos) con [A-Z]",
    ),
    (
        "fact",
        6,
        0.9,
        (),
        r"(?i)\bwir\s+(?:benutzen|verwenden|nutzen|betreiben|hosten|speichern|unterstützen|"
        r"deployen|"
        r"testen|arbeiten)\b|\bunsere?\w*\s+\w+.*\b(?:ist|sind|läuft|laufen|liegt|liegen|"
        r"steht|wird|"
        r"hat|nutzt)\b|\b(?:usamos|utilizamos|desplegamos|alojamos|soportamos|guardamos|"
        r"damos soporte)\b|"
        r"\bnuestr[oa]s?\s+\w+.*\b(?:es|son|está|corre|usa|tiene|se \w+)\b|"
        r"\b(?:we|our (?:team|company)) (?:don['’]t|do not|no longer|only|always|never)\s+\w+",
    ),
    (
        "fact",
        7,
        0.9,
        (),
        r"(?i)^(?:no|nein|nope|actually|in fact|falsch|en realidad|eigentlich)\b.*(?:\bnot\b|"
        r"\bnicht\b|"
        r"\bsondern\b|\by no\b|\bno (?:el|la|es|los|las)\b)|\bund nicht\b|\bnicht\b.*\bsondern\b|"
        r"\by no\b|(?<=\w), not \w+|\bin(?:stead| place) of\b|\bstatt\b|\ben (?:lugar|vez) de\b",
    ),
    (
        "fact",
        6,
        0.8,
        (),
        r"(?i)\b(?:must|has to|have to|may not|needs to)\b|\b(?:muss|müssen|darf|dürfen)\b|"
        r"\b(?:debe|deben|tiene que|tienen que|no puede)\b",
    ),
    (
        "fact",
        6,
        0.8,
        (),
        r"\b(?:[Pp]roduction|[Ss]taging|[Tt]he (?:server|database|cluster|site|"
        r"app))\s+(?:runs?|lives?|"
        r"is hosted)\s+(?:on|in|at)\b|"
        r"\b(?:läuft|laufen|liegt|liegen|gehostet)\b.*\b(?:auf|in|bei)\b|"
        r"\b(?:corre|corren|está alojad[oa]|se ejecuta|vive)\b.*\ben\b",
    ),
    ("event", 6, 0.9, (), rf"\b\d{{1,2}}\.?\s+{_MONTHS}\b|\b\d{{1,2}}\.\d{{1,2}}\.\d{{4}}\b"),
)
# Where a capital tells a name, the pattern minds the case.
_PATTERNS = tuple(
    (
        Shape(kind, importance, strength, topics),
        re.compile(pattern, 0 if "[A-Z" in pattern or kind == "fact" else re.IGNORECASE),
    )
    for kind, importance, strength, topics, pattern in (*_TABLE, *_OTHER_TONGUES)
)
_QUESTION = re.compile(
    r"\?\s*[\"'”’)]*$|^(?:what|who|where|when|why|how|which|do you|did you|are you|"
    r"have you|can you|could you|would you|will you)\b",
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    r"^(?:hi|hey|hello|thanks|thank you|bye|goodbye|see you|take care|good (?:morning|"
    r"evening|night|luck)|"
    r"congrats|congratulations|sounds good|no worries|no problem|of course|"
    r"you['’]re welcome|keep me|"
    r"i(?:['’]m| am) (?:so |really )?(?:glad|happy|sorry) (?:to hear|for you|you)|"
    r"i(?:['’]ll| will) (?:let you know|keep you|talk|catch)|can['’]t wait|"
    r"that['’]s (?:so |really )?(?:great|awesome|cool|amazing)|"
    r"i (?:hope|guess|think|know|see|agree|understand|bet|totally)\b|let['’]s catch up)",
    re.IGNORECASE,
)
_OTHER_PASSING = re.compile(
    r"^(?:hallo|guten (?:morgen|tag|abend)|danke|super|perfekt|prima|genau|ja|okay?|"
    r"bis (?:morgen|dann|"
    r"später)|tschüss|moment|warte|hm+|komisch|weiter|sieht gut aus|"
    r"(?:kannst|könntest|würdest|hast|bist|willst) du|(?:bitte\s+)?(?:zeig|erklär|öffne|"
    r"benenne|mach|"
    r"lass|versuch|führ|lies|such|prüf|behebe?|lösche?|starte|räum|dann behebe|füge|ändere)\w*|"
    r"hola|gracias|genial|perfecto|vale|buen[oa]s|hasta|adiós|espera|qué raro|tiene buena|sigue|"
    r"seguimos|puedes|podrías|(?:por favor,?\s+)?(?:ejecuta|enséñame|muéstrame|explícame|renombra|"
    r"deshaz|arregla|arréglalo|pues|inténtalo|abre|déjame|haz|borra|añade|cambia|busca)\w*|"
    r"morning|wait|perfect|looks good|great|go on|undo|rename|run|open|try|let me)\b",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"^(?:can|could|would|will) you\b|^(?:please\s+)?(?:help|show|tell|explain|fix|write"
    r"|give|find|make|create|check|list|summari[sz]e)\b",
    re.IGNORECASE,
)
# Work that is asked for: a verb and what to do it to. Where the verb may be a noun as well, an
# article or the like must follow: "Commit messages follow …" asks for nothing.
_REQUEST = re.compile(
    r"^(?:(?:and|also|now|then|next|please|bitte|dann|jetzt|und|ahora|luego|por favor)[, ]+)*(?:"
    r"(?:implement|refactor|convert|replace|generate|bump|rename|rewrite|debug|investigate|"
    r"analy[sz]e|simplify|install|remove|delete|add|extract|upgrade|revert|optimi[sz]e|"
    r"(?:ersetz|entfern|implementier|refaktorier|konvertier|generier|aktualisier)e|"
    r"sustituye|elimina|implementa|refactoriza|renombra)\b|"
    r"(?:read|update|merge|look|set|move|compare|clean|split|change|test|build|log|commit|plan|"
    r"design|format|push|pull|rebase|deploy|copy|sort|port|wrap|document|draft|review|search|print|"
    r"turn|enable|disable|hide|align|style|connect|configure|write|speed)"
    r"(?: (?:up|out|over|through|down|back|off|on))? "
    r"(?:the|an?|this|that|these|those|it|them|all|both|my|our|its|another|some|at|into|in|for|to|"
    r"with|what|why|how|where|unit|new|two|three)\b|"
    r"(?:schreib|bau|aktualisier|entfern|erstell|teil|ersetz|verschieb|schau|sag|füg|änder|lösch|"
    r"implementier|refaktorier|benenn|zeig|prüf|test|installier|kopier|sortier|such|lies|mach|gib|"
    r"räum|erklär|übersetz|vergleich|konvertier|generier|committ|merg|push|starte|stopp|behebe?)"
    r"\w{0,2} "
    r"(?:bitte|mal|mir|dir|das|den|die|dem|der|ein|eine|einen|alle|beide|es|ihn|sie|dies\w*|unser\w*|"
    r"tests?|für|in|im|zu|auf)\b|"
    r"(?:escribe|actualiza|quita|crea|divide|sustituye|mira|mueve|añade|arregla|borra|cambia|elimina|"
    r"implementa|refactoriza|renombra|genera|instala|compara|convierte|revisa|ejecuta|pon|haz|dime|"
    r"explica|prueba) "
    r"(?:el|la|los|las|lo|un|una|unos|unas|est[aeo]s?|tod[ao]s?|pruebas|de|en|a|me|por qué)\b"
    r")",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    r"^there(?:['’]s| is) an? (?:bug|error|typo|problem)\b|"
    r"^i(?:['’]m getting| get| see) an? \S+ when\b|"
    r"^(?:bei mir kommt|ich bekomme|ich kriege)\b|^me (?:sale|da) un\w*\b|"
    r", (?:please )?(?:make|fix) (?:it|them|that)\b|, (?:bitte )?mach(?:e)? (?:ihn|sie|es)\b|"
    r", (?:hazl[oa]|arréglal[oa])\b",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:always|never|every|each|whenever|from now on|without|only|"
    r"immer|nie(?:mals)?|jede\w?|stets|künftig|ab jetzt|grundsätzlich|ohne|nur|"
    r"siempre|nunca|cada|todos los|todas las|a partir de|sin|solo)\b",
    re.IGNORECASE,
)
# "It was hard", "you should try": says nothing once its neighbours are gone.
_DANGLING = re.compile(
    r"^(?:and |but |so )*(?:it|it['’]s|that|that['’]s|this|these|those|they|they['’]re|"
    r"he|she|he['’]s|she['’]s|there)\b"
    r"|\b(?:you|your|you['’]\w+)\b",
    re.IGNORECASE,
)
_MATERIAL = re.compile(
    r"^(?:please\s+|(?:can|could|would) you\s+(?:please\s+)?|help me\s+)?(?:summari[sz]e|translate|"
    r"rewrite|proofread|explain|review|edit|correct|improve|shorten|paraphrase|analy[sz]e)\b.*:",
    re.IGNORECASE | re.DOTALL,
)
_SAME_PERSON = re.compile(r"^(?:he|she|his|her|they|their)(?:['’]\w+)?\s", re.IGNORECASE)
_PROPER = re.compile(r"(?<=[\w,;:]\s)(?:[A-Z][\w'’&-]*(?:\.\w+)*)(?:\s+[A-Z][\w'’&-]*(?:\.\w+)*)*")


def shape_of(statement: str) -> Shape:
    """What kind of memory the statement would make; an observation when nothing tells."""
    for shape, pattern in _PATTERNS:
        if pattern.search(statement):
            return _dated(shape, statement)
    if _DANGLING.search(statement):
        return Shape("observation", 3, 0.0)
    return _dated(Shape("observation", 4, 0.3), statement)


def _dated(shape: Shape, statement: str) -> Shape:
    """Something with a day to it happened or will: it is an event, and more worth keeping."""
    if shape.kind not in ("observation", "event", "fact") or not names_a_day(statement):
        return shape
    kind = "event" if shape.kind == "observation" else shape.kind
    return Shape(kind, max(shape.importance, 5), min(1.0, shape.strength + 0.3), shape.topics)


def passes_by(statement: str) -> bool:
    """Questions, greetings and one-off requests: said for the moment, not to be kept."""
    if _is_instruction(statement):
        return False
    return bool(
        _QUESTION.search(statement)
        or _SMALL_TALK.match(statement)
        or _PASSING.match(statement)
        or (_OTHER_PASSING.match(statement) and shape_of(statement).strength < SPEAKS_FOR_ITSELF)
        or _asks_for_work(statement)
    )


def _asks_for_work(statement: str) -> bool:
    """Whether it is done when it is done: a task, or what is broken. Not where it says how
    things are to be done from now on."""
    if not (_REQUEST.match(statement) or _TROUBLE.search(statement)):
        return False
    return shape_of(statement).strength < SPEAKS_FOR_ITSELF and not _LASTING.search(statement)


def _is_instruction(statement: str) -> bool:
    return shape_of(statement).kind == "instruction"


def hands_over(sentence: str) -> bool:
    """ "Translate this: …": what follows is material to work on, not the speaker's own words."""
    return bool(_MATERIAL.match(sentence))


def goes_on(statement: str) -> bool:
    """Speaks of whom the sentence before it named: "She is allergic to shellfish"."""
    return bool(_SAME_PERSON.match(statement)) and not passes_by(statement)


def proper_names(statement: str) -> list[str]:
    """Names of people, places and things: capitalised words inside the sentence."""
    found = (name.strip(".,'’ ") for name in _PROPER.findall(statement))
    return [
        name for name in found if name.lower() not in SPEECH_STOP_WORDS and name not in ("I", "I'm")
    ]


SPEAKS_FOR_ITSELF = 0.75

_NOT_A_TOPIC = ("ed", "ly", "ways", "times", "self", "selves")
_DULL = frozenset(
    {"never", "least", "prefer", "remember", "remains", "thinking", "trying", "looking", "working"}
    | {"using", "going", "makes", "making", "years", "today", "tomorrow", "yesterday", "whenever"}
)


def tags_for(statement: str, shape: Shape, limit: int = 4) -> tuple[str, ...]:
    """Short lowercase keywords: the pattern's topics, then names, then the longest words."""
    names = [name.lower() for name in proper_names(statement) if len(name) <= 32]
    plain = sorted(
        {
            word
            for word in words(statement)
            if word.isalpha()
            and len(word) > 4
            and word not in SPEECH_STOP_WORDS
            and not word.endswith(_NOT_A_TOPIC)
            and word not in _DULL
        },
        key=lambda word: (-len(word), word),
    )
    chosen: list[str] = []
    for tag in (*shape.topics, *names, *plain):
        if tag not in chosen and not any(tag in other.split() for other in chosen):
            chosen.append(tag)
    return tuple(chosen[:limit])
