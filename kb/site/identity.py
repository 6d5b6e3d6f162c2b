"""How a site presents itself: its name, picture, address, games and colour, from `site.yaml` beside the sources or the command line."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from kb import paths
from kb.files.read import read_bounded
from kb.site.folder import SiteError
from kb.site.policy import digest
from kb.sources.problems import Problems

KEYS = ("name", "logo", "url", "games", "colour")
LONGEST_NAME = 60
LARGEST = 200_000
PICTURES = (".svg", ".png", ".webp", ".jpg", ".jpeg")
PAPER = (0xFD, 0xFC, 0xF9)
LEAST_CONTRAST = 4.5
"""What WCAG asks of text (success criterion 1.4.3)."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What a host says about the site. No `games`: all of them; `logo` is a picture's file; `with_own`: what the user has imported is in
    it, which no site.yaml asks for."""

    name: str = "kb"
    logo: Path | None = None
    url: str = ""
    games: tuple[str, ...] = ()
    colour: str = ""
    with_own: bool = False

    def told(self) -> dict[str, Any]:
        """The identity as plain values, to be compared with that of an older site."""
        picture = self.logo.read_bytes().hex() if self.logo else ""
        return {**asdict(self), "logo": picture, "games": list(self.games)}


def read_identity(beside: Path, given: Mapping[str, Any] | None = None) -> Identity:
    """The identity that `beside`/site.yaml tells, if there is one, with what was `given` on the command line before it.

    Raises SiteError, with the file and what is wrong in it.
    """
    path = beside / "site.yaml"
    told = read_file(path) if path.is_file() else {}
    found = {key: value for key, value in (given or {}).items() if value not in (None, "", ())}
    values = {key: check(key, value, f"{path}: `{{}}`", beside) for key, value in told.items() if key not in found}
    values |= {key: check(key, value, "--{}", Path()) for key, value in found.items()}
    return Identity(**values)


def read_file(path: Path) -> dict[str, Any]:
    """The keys of a site.yaml. Raises SiteError."""
    from kb.sources.frontmatter import read_yaml

    problems = Problems(Path())
    try:
        raw = read_yaml(path, read_bounded(path, LARGEST).decode("utf-8-sig"), 1, problems)
    except (OSError, ValueError, RecursionError) as error:
        raise SiteError(f"{path} cannot be read: {error}.") from None
    if problems.found:
        raise SiteError(f"{problems.found[0]}.")
    if raw is None:
        return {}
    if not isinstance(raw, dict):
        raise SiteError(f"{path}: keys with values are needed, such as `name: Rules of our table`.")
    if unknown := sorted(str(key) for key in raw if key not in KEYS):
        raise SiteError(f"{path}: unknown {', '.join(unknown)}; known are {', '.join(KEYS)}.")
    return {key: value for key, value in raw.items() if value is not None}


def check(key: str, value: Any, where: str, folder: Path) -> Any:
    """A value as the identity needs it. `where` names its place in words of an error. Raises SiteError."""
    place = where.format(key)
    if key == "games":
        listed = value if isinstance(value, list) else str(value).split(",")
        return known_games([str(name).strip() for name in listed if str(name).strip()], place)
    text = str(value).strip()
    if key == "name" and not (0 < len(text) <= LONGEST_NAME and text.isprintable()):
        raise SiteError(f"{place}: a name of up to {LONGEST_NAME} characters on one line is needed.")
    if key == "url":
        if not is_address(text):
            raise SiteError(f"{place}: an address such as https://example.org/rules is needed, not {text[:300]!r}.")
        return text.rstrip("/") + "/"
    if key == "logo":
        picture = Path(text).expanduser() if Path(text).is_absolute() else folder / text
        if picture.suffix.lower() not in PICTURES or not is_there(picture):
            raise SiteError(
                f"{place}: {str(picture)[:300]} is not a picture; a file in {', '.join(PICTURES)} is needed."
            )
        if picture.stat().st_size > LARGEST:
            raise SiteError(f"{place}: {picture} is larger than {LARGEST // 1000} KB, which every page would load.")
        return picture
    return readable(text, place) if key == "colour" else text


def is_address(text: str) -> bool:
    """Whether a text is the address of a folder on the web."""
    try:
        parts = urlsplit(text)
    except ValueError:  # brackets of an address in numbers that do not close
        return False
    # Pages name it as it stands: what would end its place there is in no address.
    return (
        parts.scheme in ("http", "https")
        and bool(parts.netloc)
        and not (parts.query or parts.fragment or re.search(r"[\s\x00-\x1f\"'<>{}]", text))
    )


def is_there(path: Path) -> bool:
    """Whether a path leads to a file; one that no system takes (too long, a NUL) does not."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def known_games(names: list[str], place: str) -> tuple[str, ...]:
    """The ids of games, each checked. Raises SiteError."""
    from kb import registry

    content = paths.sources_root() / "content"
    ids = {
        # A game of entries only is a folder there and nothing else.
        **{folder.parent.name: folder.parent.name for folder in content.glob("*/game.yaml")},
        **{about.id: about.id for about in registry.games().values()},
        **{name.casefold(): about.id for about in registry.games().values() for name in about.names},
    }
    for name in names:
        if name.casefold() not in ids:
            raise SiteError(f"{place}: no game is called {name}; there are {', '.join(sorted(set(ids.values())))}.")
    return tuple(dict.fromkeys(ids[name.casefold()] for name in names))


def readable(colour: str, place: str) -> str:
    """A colour that can be read as a link on the page. Raises SiteError."""
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
        raise SiteError(f"{place}: a colour such as #2d4d7c is needed, not {colour!r}.")
    ratio = contrast(tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5)), PAPER)
    if ratio < LEAST_CONTRAST:
        raise SiteError(
            f"{place}: {colour} is too pale for links (contrast {ratio:.1f}, needed {LEAST_CONTRAST}); take a darker one."
        )
    return colour.lower()


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """The contrast of two colours as WCAG 2 defines it."""

    def light(colour: tuple[int, ...]) -> float:
        parts = [part / 255 for part in colour]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def dress(theme: Path, identity: Identity) -> str:
    """Put a host's picture and colour into the theme, and into the page for wrong addresses what its policy calls its script by.

    Returns the name of the picture that browsers show in a tab.
    """
    assets, lost = theme / "assets" / "kb", theme / "404.html"
    text = lost.read_text(encoding="utf-8")
    script = text.partition("<script>")[2].partition("</script>")[0]
    lost.write_text(text.replace("SCRIPT-HASH", f"sha256-{digest(script)}"), encoding="utf-8")
    if identity.logo:
        kind = identity.logo.suffix.lower()
        shutil.copyfile(identity.logo, assets / f"own-logo{kind}")
        # As a picture, never as a part of the page: an SVG may hold a script.
        (theme / "partials" / "kb-logo.html").write_text(
            f'<img src="{{{{ base }}}}/assets/kb/own-logo{kind}" alt="">', encoding="utf-8"
        )
    if identity.colour:
        with (assets / "kb.css").open("a", encoding="utf-8") as style:
            style.write(
                f'[data-md-color-scheme="default"] {{ --kb-plain: {identity.colour}; }}\n'
                f'[data-md-color-scheme="slate"] {{ --kb-plain: color-mix(in srgb, {identity.colour} 45%, #fff); }}\n'
            )
    return f"own-logo{identity.logo.suffix.lower()}" if identity.logo else "favicon.svg"
