"""Display names: which are accepted, and which look alike.

Unicode has many letters that look like others. A name is normalised (a wide or bold letter becomes
the plain one) and may not mix alphabets that share shapes. Names that look alike have the same
skeleton, a text in which such letters are equal.
"""

import unicodedata
from collections.abc import Iterable
from itertools import groupby

from souk.server.tables.commands import MAX_NAME, Refusal, clean

MAX_ACCENTS = 2  # above or below a letter
MAX_MARKS = 4  # of any kind after a letter: some scripts write vowels as marks

# Alphabets that share shapes.
_ALIKE = frozenset({"LATIN", "CYRILLIC", "GREEK", "COPTIC", "ARMENIAN", "CHEROKEE", "LISU"})

# Characters after case folding, without accents, and the Latin letter that they look like.
_LOOKALIKES = str.maketrans(
    "авекмнорстухѕіјһԁԛԝьгпиӏѵԍ"  # Cyrillic
    "αβεηικμνορστυχωγ"  # Greek
    "աօոսհցյզ"  # Armenian
    "ıłøđŧħi"  # Latin: a capital i looks like an l
    "ɑɡɩɪȷʟᴀʙᴄᴅᴇꜰɢʜᴊᴋᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ"  # Latin: of phonetics, and small capitals
    "01|!$"
    "ⲁⲃⲉⲏⲓⲕⲙⲛⲟⲣⲥⲧⲩⲭ"  # Coptic
    "ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏂᏃᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏳᏴ"  # Cherokee
    "ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ",  # Lisu
    "abekmhopctyxsljhdqwbrnulvgabenlkuvopotuxwywonuhgjqllodthlaglljlabcdefghjkmnoprstuvwyzollls"
    "abehlkmnopctyxdrtlyajewmhyghzbrwsvslcpkdgbbpdtgkjczfmnlsrvhwxyaelou",
)
for _first in (0x1F150, 0x1F170, 0x1F1E6):  # letters in circles and squares, and those of flags
    _LOOKALIKES.update(enumerate(b"abcdefghljklmnopqrstuvwxyz", _first))
# Letters and symbols that nobody sees: fillers of Hangul, a Braille pattern without dots, a note
# without a head, and blanks of hieroglyphs.
_INVISIBLE = frozenset("\u115f\u1160\u3164\uffa0\u2800\U0001d159\U00013441\U00013442")
_RESERVED = ("admin", "administrator", "moderator", "server", "souk", "system")


def checked_name(text: str) -> str:
    """Return a name as it is stored, on one line; raise a Refusal if it could mislead.

    >>> checked_name("  Ａｄａ  Lovelace ")
    'Ada Lovelace'
    """
    name = clean(unicodedata.normalize("NFKC", text), MAX_NAME)
    kinds = [unicodedata.category(character) for character in name]
    if name and not any(kind[0] in "LNS" for kind in kinds):
        raise Refusal("bad-name", "A name needs a letter, a digit or a symbol.")
    if not _INVISIBLE.isdisjoint(name):
        raise Refusal("bad-name", "A name cannot have characters that nobody sees.")
    if "Me" in kinds or _has_stacked_marks(name):
        raise Refusal("bad-name", "A name cannot have so many accents on a letter.")
    if len(scripts := _alike_scripts(name)) > 1:
        mixed = " and ".join(script.title() for script in scripts)
        raise Refusal("bad-name", f"A name cannot mix letters that look alike: {mixed}.")
    if skeleton(name) in _RESERVED_SKELETONS:
        raise Refusal("bad-name", "This name is reserved for the server.")
    return name


def _has_stacked_marks(name: str) -> bool:
    parts = unicodedata.normalize("NFD", name)
    for is_mark, run in groupby(parts, lambda one: unicodedata.category(one) == "Mn"):
        marks = list(run)
        accents = [one for one in marks if unicodedata.combining(one)]
        if is_mark and (len(marks) > MAX_MARKS or len(accents) > MAX_ACCENTS):
            return True
    return False


def _alike_scripts(name: str) -> list[str]:
    """Return those alphabets of a name's letters that share shapes, in order."""
    letters = (one for one in name if one.isalpha())
    scripts = (unicodedata.name(one, "").split(" ")[0] for one in letters)
    return sorted(_ALIKE.intersection(scripts))


def skeleton(name: str) -> str:
    """Return a text that is the same for names that look alike.

    >>> skeleton("Аdа"), skeleton("A D Á"), skeleton("Ada")
    ('ada', 'ada', 'ada')
    """
    folded = unicodedata.normalize("NFKD", name).casefold()
    plain = "".join(one for one in folded if unicodedata.category(one) != "Mn")
    letters = "".join(one for one in plain.translate(_LOOKALIKES) if one.isalnum())
    return letters.replace("rn", "m").replace("vv", "w") or plain


_RESERVED_SKELETONS = frozenset(map(skeleton, _RESERVED))


def unique_name(name: str, taken: Iterable[str]) -> str:
    """Return a name, with a number after it if it looks like one that is taken.

    >>> unique_name("Ada", ["Ada", "ada 2"])
    'Ada 3'
    """
    skeletons = {skeleton(one) for one in taken}
    numbered, number = name, 1
    while skeleton(numbered) in skeletons:
        number += 1
        suffix = f" {number}"
        numbered = name[: MAX_NAME - len(suffix)].rstrip() + suffix
    return numbered
