"""Write the folder of a new game from the template files in `files/`. Each `{{…}}` in them is replaced by a value."""

from __future__ import annotations

import colorsys
import json
import keyword
import re
from pathlib import Path

from kb.errors import KbError
from kb.files.folders import is_plain, workshop
from kb.files.text import named
from kb.registry import games

FILES = Path(__file__).parent / "files"
TAKEN = frozenset({
    "about", "all", "along", "api", "assets", "build", "check", "checks", "everywhere", "index", "party", "search", "sitemap", "using",
})  # fmt: skip
"""Names that a game cannot have: folders that every site has, and words that make a search cover all games."""
LONGEST_NAME = 40
PLACE = re.compile(r"\{\{(\w+)\}\}")


class StarterError(KbError, ValueError):
    """A game cannot be created, and nothing was written. The message is written for users."""


def new_game(name: str, folder: Path, title: str | None = None, colour: str | None = None) -> Path:
    """Write the folder of a new game to `folder`/kb-`name`, and return its path.

    `name` consists of lower-case letters, digits and hyphens. `title` is the name for people (by default made from
    `name`), and `colour` is the game's colour on light pages (`#rrggbb`). Raises StarterError if there is already a
    game or folder with this name, or if a name or colour is invalid.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise StarterError(
            f"{name[:60]!r} is not a valid game name. Use lower-case letters, digits and hyphens, and begin with a letter."
        )
    if len(name) > LONGEST_NAME:
        raise StarterError(
            f"{name[:60]!r} has {len(name)} characters; a game name has at most {LONGEST_NAME}. Choose a shorter name."
        )
    if keyword.iskeyword(name):
        raise StarterError(f"{name!r} is a word of the Python language. Choose another name.")
    if not is_plain(name):
        raise StarterError(f"{name!r} is the name of a device on Windows. Choose another name.")
    if name in TAKEN:
        raise StarterError(f"{name!r} is a reserved name in kb. Choose another name.")
    if name in games():
        raise StarterError(f"There is already a game {name!r}. Choose another name.")
    title = (title or name.replace("-", " ").title()).strip()
    if not title.isprintable() or not 0 < len(title) <= 100:
        raise StarterError("The title must be one line of 1 to 100 characters.")
    light, dark = colours_of(colour, name)
    target = folder / f"kb-{name}"
    if target.exists():
        raise StarterError(f"{target} already exists. Choose another name or folder.")
    fill = {
        "id": name,
        "package": f"kb_{name.replace('-', '_')}",
        "title": title,
        "title_py": title.replace("\\", "\\\\").replace('"', '\\"'),
        "description_toml": json.dumps(f"{title} for kb", ensure_ascii=False),
        "title_yaml": json.dumps(title, ensure_ascii=False),
        "rulebook_yaml": json.dumps(f"{title} rulebook", ensure_ascii=False),
        "called_yaml": ", ".join(
            json.dumps(each, ensure_ascii=False) for each in dict.fromkeys((name, title.casefold()))
        ),
        "light": light,
        "dark": dark,
    }
    folder.mkdir(parents=True, exist_ok=True)
    with named(target), workshop(target) as beside:
        made = beside / name
        for source in sorted(FILES.rglob("*.txt")):
            place = source.relative_to(FILES).with_suffix("")
            written = made / where(place, name, fill["package"])
            written.parent.mkdir(parents=True, exist_ok=True)
            text = PLACE.sub(lambda found: fill[found[1]], source.read_text(encoding="utf-8"))
            written.write_text(text, encoding="utf-8")
        made.rename(target)
    return target


def where(place: Path, name: str, package: str) -> Path:
    """Return the path of a template file in the folder of the new game.

    `package/content/deck.md` becomes `kb_chess/content/chess/deck.md`. `trials/decks.py` becomes `tests/test_decks.py`;
    it has another name here because kb's own release contains no tests.
    """
    first, *rest = place.parts
    if first == "trials":
        return Path("tests", f"test_{rest[0]}")
    if first != "package":
        return place
    if rest[0] in ("content", "cards"):
        rest.insert(1, name)
    return Path(package, *rest)


def colours_of(colour: str | None, name: str) -> tuple[str, str]:
    """Return the colours of a game for light and for dark pages, as `#rrggbb`. Raises StarterError if `colour` is
    invalid.

    The first is `colour` or, if none is given, a colour made from `name` that has enough contrast to be readable.
    """
    if colour is not None and not re.fullmatch("#[0-9a-fA-F]{6}", colour):
        raise StarterError(f"{colour[:40]!r} is not a colour; write it like #2d4d7c.")
    if colour:
        red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
        hue, _light, strength = colorsys.rgb_to_hls(red, green, blue)
        return colour.lower(), as_hex(hue, 0.75, min(strength, 0.8))
    hue = sum(name.encode()) % 360 / 360
    return as_hex(hue, 0.27, 0.5), as_hex(hue, 0.75, 0.7)


def as_hex(hue: float, light: float, strength: float) -> str:
    """Return a colour as `#rrggbb`. Its hue, lightness and saturation (`strength`) are between 0 and 1."""
    return "#" + "".join(f"{round(255 * part):02x}" for part in colorsys.hls_to_rgb(hue, light, strength))
