"""Decks, parties and campaigns as objects for scripts: `kb.Deck`, `kb.Party` and `kb.Campaign`."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from os import PathLike
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from kb import registry
from kb.api.session import Path, Session
from kb.catalog.queries import characters, products
from kb.decks.contract import check_file, options_for
from kb.decks.deckfile import DeckFile, parse_deck
from kb.decks.games import NewDeckError, game_named, game_of, with_decks
from kb.decks.names import name_key, nearest
from kb.decks.nodes import DeckFileError
from kb.decks.reading import one_deck

if TYPE_CHECKING:
    from kb.campaigns.campaign import Replay
    from kb.catalog.reader import Catalog
    from kb.decks.contract import CheckOption
    from kb.decks.games import DeckView
    from kb.decks.party import PartyReport, Pull, Rebuilding
    from kb.decks.report import Report
    from kb.decks.upgrades import Upgrade
    from kb.registry import About


class _Asks:
    """A base class for objects that use a session: the one given, or else a new one for each question."""

    def __init__(self, session: Session | None) -> None:
        self._given = session

    def _session(self) -> AbstractContextManager[Session]:
        return nullcontext(self._given) if self._given is not None else Session()


def _games_within(name: str | None, catalog: Catalog) -> tuple[list[About], str | None]:
    """Return the games with deck rules that the name of a game, set or product allows, and the set that it names.

    The set is None if the name means a whole game or one of its editions. An unknown name may be a set in any game. Raises NewDeckError for a
    game without deck rules.
    """
    if name is None:
        return with_decks(), None
    wanted, named = name_key(name), game_named(name)
    if named is not None and not named.marks:
        raise NewDeckError(f"{named.title} has no decks.")
    if named is not None:
        whole = {named.id, *(edition.within for edition in named.editions)}
        scopes = (
            scope
            for scope, called in named.called.items()
            if scope not in whole and wanted in map(name_key, (scope.rpartition("/")[2], *called))
        )
        scope = next(scopes, "")
        return [named], scope.rpartition("/")[2] or None
    owners = {game for code, game in products(catalog) if name_key(code) == wanted}
    return [game for game in with_decks() if game.id in owners] or with_decks(), name


class Deck(_Asks):
    """A deck of any game, in any format that kb reads. For many questions, pass a `session`.

    Raises DeckFileError if the text is not a deck, or contains several.

    >>> deck = Deck("{game: pathfinder, set: rotr, character: Kyra, cards: [2x Mace, Quarterstaff]}")
    >>> deck.game
    'pathfinder'
    >>> deck.check().findings[0].message
    'The deck contains 3 weapons; the Cards List of Kyra requires 2 weapons.'
    """

    def __init__(self, text: str | DeckFile, *, session: Session | None = None) -> None:
        super().__init__(session)
        self.file = text if isinstance(text, DeckFile) else one_deck(None, text)

    @classmethod
    def load(cls, path: Path, *, session: Session | None = None) -> Deck:
        """Read the deck in a file (`-`: standard input). Raises DeckFileError if it cannot be read, or contains
        several decks.

        >>> Deck.load("kyra.yaml").name
        'kyra.yaml'
        """
        return cls(one_deck((session or Session()).named(path), None), session=session)

    @classmethod
    def load_all(
        cls, paths: Iterable[Path | DeckFile | DeckFileError], *, session: Session | None = None
    ) -> list[Deck]:
        """Read every deck in files and folders. Raises a KbError that says what is wrong with each deck that cannot be
        read.

        >>> [deck.name for deck in Deck.load_all(["kyra.yaml", "runelords/decks"])]
        ['kyra.yaml', 'runelords/decks/lini.yaml']
        """
        from kb.decks.party import readable

        return [cls(file, session=session) for file in readable((session or Session()).read_decks(paths))]

    @classmethod
    def new(cls, character: str, *, set: str | None = None, session: Session | None = None) -> Deck:
        """Return a character's suggested deck; `set` is a game, set or product, and needed if several have the character.

        Raises NewDeckError (a KbError) if there is no such character.

        >>> Deck.new("Lini", set="rotr").check().legal
        True
        """
        refused: NewDeckError | None = None
        with nullcontext(session) if session is not None else Session() as opened:
            searched, set_id = _games_within(set, opened.catalog)
            for game in searched:
                rules, facts = opened.deck_rules.game(game.id)
                try:
                    text = rules.new_deck(character, set_id, facts)
                except NewDeckError as error:
                    refused = error
                    continue
                if text is not None:
                    return cls(text, session=session)
            if refused is None:
                ids = {game.id for game in searched}
                known = [name for name, game in characters(opened.catalog) if game in ids]
                if len(searched) == 1 and not known:  # the game may have its characters among its cards
                    known = [str(card["name"]) for card in opened.catalog.records(searched[0].id, "card")]
                where = searched[0].title if len(searched) == 1 else "the games with deck rules"
                refused = NewDeckError(f"There is no character {character!r} in {where}.{nearest(character, known)}")
        raise refused

    @property
    def name(self) -> str:
        """The deck's name in messages: the name of its file."""
        return self.file.name

    @property
    def text(self) -> str:
        """The text of the deck as written."""
        return self.file.text

    @property
    def game(self) -> str:
        """Id of the deck's game. Raises DeckFileError if the game is unknown."""
        return game_of(self.file).id

    def check(self, **options: CheckOption) -> Report:
        """Check the deck by the rules of its game.

        Raises DeckFileError if its keys cannot be read, or if the game does not support an option.

        >>> report = Deck.load("roland.yaml").check(taboo="none")
        >>> report.legal, report.details["size"]
        (True, 30)
        """
        with self._session() as session:
            return check_file(self.file, session.deck_rules.game, options)

    def composition(self) -> DeckView:
        """Return the composition of the deck as a small table.

        >>> Deck.load("kyra.yaml").composition().columns
        ('type', 'cards', 'list', '')
        """
        with self._session() as session:
            rules, facts = session.deck_rules.game(self.game)
            return rules.show(self.file, facts)

    def upgrade_to(self, *later: Deck, earned: int | Iterable[int] = (), **options: CheckOption) -> Upgrade:
        """Price the upgrade to the next deck, line by line, and check that it is legal. You can give several decks in
        order.

        `earned` is the experience earned before the upgrade (for several upgrades, a list). Without it, kb reads the
        available experience from the next deck. `options` are the same as for `check`. Raises a KbError if one of the
        decks does not follow from the previous one, or if their game has no upgrades.

        >>> upgrade = Deck.load("roland.yaml").upgrade_to(Deck.load("after.yaml"), earned=7)
        >>> upgrade.legal, upgrade.cost, upgrade.steps[0].unspent
        (True, 6, 1)
        >>> upgrade.steps[0].lines[0].text
        'Upgrade Beat Cop (2) [01028] from Beat Cop [01018]: 2 experience (difference 2).'
        """
        from kb.decks.upgrades import upgrade_decks

        files = [self.file, *(deck.file for deck in later)]
        before = (earned,) if isinstance(earned, int) else tuple(earned)
        with self._session() as session:
            return upgrade_decks(files, session.deck_rules.game, before, options)

    def plan(
        self,
        want: Iterable[str | Deck | DeckFile] = (),
        *,
        experience: int = 0,
        each: int = 0,
        out: Iterable[str] = (),
        keep: Iterable[str] = (),
        **options: CheckOption,
    ) -> Any:
        """Return a PurchasePlan: the purchases after each scenario so that wishes are fulfilled as early as possible.

        `want` lists cards (`2x Shrivelling (3)`) or a deck to reach; the default is the side deck. `experience` is the
        amount available now, and `each` the amount from each scenario. Cards in `out` are the first that kb removes;
        cards in `keep` stay. `options` are the same as for `check`. Raises a KbError if the wishes cannot be planned.

        >>> plan = Deck.load("roland.yaml").plan(["Beat Cop (2)"], experience=1, each=2)
        >>> [(bought.scenario, bought.wishes) for bought in plan.purchases]
        [(0, ()), (1, ('Beat Cop (2) [01028]',))]
        >>> plan.cost, plan.missed
        (2, ())
        """
        from kb.decks.party import part_for

        cards = [wish.file if isinstance(wish, Deck) else wish for wish in want]
        given = options_for(self.file, options)
        with self._session() as session:
            part, facts = part_for(
                [self.file], session.deck_rules.game, "deck plan", lambda game: registry.part(game, "plans")
            )
            return part.plan(
                self.file, facts, cards, now=experience, each=each, out=tuple(out), keep=tuple(keep), options=given
            )


class Party(_Asks):
    """The decks in one party, given as deck files, folders of deck files or `Deck` objects, or as a party file.

    >>> Party("kyra.yaml", "runelords/decks").check().together
    True
    """

    def __init__(self, *decks: Deck | DeckFile | DeckFileError | Path, session: Session | None = None) -> None:
        super().__init__(session)
        self._decks = [deck.file if isinstance(deck, Deck) else deck for deck in decks]

    def check(self, *, owned: Iterable[str] = (), out: Iterable[str] = ()) -> PartyReport:
        """Check each deck, and all decks together.

        `owned` lists products of the party, and `out` lists characters who are permanently out of the campaign. Both
        apply only to games that use them. Raises PartyError (a KbError) if the decks cannot be checked together.

        >>> report = Party("kyra.yaml").check()
        >>> report.together, report.legal
        (True, False)
        """
        from kb.decks.party import check_together

        with self._session() as session:
            return check_together(session.read_decks(self._decks), session.deck_rules.game, tuple(owned), tuple(out))

    def pull(self, *, owned: Iterable[str] = ()) -> Pull:
        """Return the cards to take from each product, and the missing cards. All decks are built from the same
        collection.

        `owned` lists products by code or name. The default is the products that the decks list, or else one of every
        product. Raises PartyError (a KbError) if the decks are for several games, or if the game's products are
        unknown.

        >>> pulled = Party("kyra.yaml").pull(owned=["base"])
        >>> {product: takes[0].card.name for product, takes in pulled.products.items()}
        {'Rise of the Runelords: the base set': 'Mace'}
        >>> pulled.missing
        ()
        """
        from kb.decks.party import pull_together

        with self._session() as session:
            return pull_together(session.read_decks(self._decks), session.deck_rules.game, list(owned))

    def table(self) -> str:
        r"""Return the text of a party file for members with these decks. The file is for recording a scenario's events.

        Raises PartyError if the decks cannot be read, or their game does not rebuild decks.

        >>> "members:\n  Kyra:\n" in Party("kyra.yaml").table()
        True
        """
        from kb.decks.party import table_of

        with self._session() as session:
            return table_of(session.read_decks(self._decks), session.deck_rules.game)

    def rebuild(self, *, fill: bool = False) -> Rebuilding:
        """Return the decks after a scenario: trades, cards from the box, and cards that go back. With `fill`, kb also
        chooses the cards from the box.

        The party is a party file, the decks of its members, or a folder of them.

        >>> rebuilt = Party("table.yaml").rebuild(fill=True)
        >>> rebuilt.steps[0].title, rebuilt.steps[0].lines
        ('Trade', ('Ezren to Kyra: Force Missile (Kyra wished for it)',))
        >>> sorted(rebuilt.decks)
        ['Ezren', 'Kyra']
        """
        from kb.decks.party import PartyError, rebuild_table

        if not self._decks:
            raise PartyError("Give a party file, or the decks of its members.")
        if len(self._decks) > 1 or (isinstance(self._decks[0], str | PathLike) and FilePath(self._decks[0]).is_dir()):
            with self._session() as session:
                return rebuild_table(parse_deck(self.table(), "table"), session.deck_rules.game, fill)
        with self._session() as session:
            table = self._decks[0]
            if isinstance(table, DeckFileError):
                raise table
            file = table if isinstance(table, DeckFile) else one_deck(session.named(table), None)
            return rebuild_table(file, session.deck_rules.game, fill)


class Campaign(_Asks):
    """A campaign in a folder.

    >>> replay = Campaign("runelords").check()
    >>> replay.title, replay.legal, [step.title for step in replay.played]
    ('Rise of the Runelords', True, [])
    >>> replay.decks[0].who
    'Lini'
    """

    def __init__(self, folder: Path, *, session: Session | None = None) -> None:
        super().__init__(session)
        self._folder = folder

    def check(self) -> Replay:
        """Replay the campaign by the rules of its game. The result has `steps` with the changes in each game and the
        rules that it breaks.

        Raises CampaignError (a KbError) if the folder contains no campaign, and DeckFileError if its `campaign.yaml`
        cannot be read.
        """
        from pathlib import Path as Folder

        from kb.campaigns.folder import read_folder
        from kb.campaigns.replay import OpenCampaign

        with self._session() as session:
            return OpenCampaign(read_folder(Folder(session.named(self._folder))), session.deck_rules.game).replay()
