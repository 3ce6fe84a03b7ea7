"""/doctor: what works in this channel and what does not, a sentence each, and what to do about it.

Every check is a function from the facts to its findings. A new one needs a line in ``CHECKS``.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final, NamedTuple

from bot.i18n import Words
from bot.permissions import CONNECTS, MAKES_THREADS, NEEDS, SENDS, SENDS_IN_THREADS
from bot.tables.preferences import GuildSettings, stricter_limit
from bot.ui.components import COLOUR_DEFAULT, COLOUR_WARNING, Sheet, container, text_display
from bot.ui.profile import NOT_COUNTED

SLOW_STORE_MS: Final = 250
MOST_CLOCK_ERROR_MS: Final = 500
"""If the clock is off by more than this, the cause is the machine rather than the network."""
SLOW_ANSWER_MS: Final = 1000
MOST_NAMED: Final = 5
"""The most channels or people that a sentence names."""


class Severity(Enum):
    """The result of a check; the value stands before its sentence."""

    GOOD = "✅"
    POOR = "⚠️"
    BAD = "❌"


class Finding(NamedTuple):
    """One result of a /doctor check: how bad it is, a sentence, and what to do about it."""

    mark: Severity
    said: str
    remedy: str = ""
    """What to do about it; empty: nothing."""


class DoctorFacts(NamedTuple):
    """All that /doctor checks: facts about the channel where it was used, its server, the person and the program."""

    granted: frozenset[str]
    """The permissions of the bot in this channel, by discord.py's names."""
    member: bool = True
    """Whether the bot is a member of the server."""
    link: str = ""
    """The link that invites the bot."""
    in_private_thread: bool = True
    """Whether the bot is in this private thread; also true if this is no private thread."""
    thread: bool = False
    """Whether this is a thread."""
    voice: bool = False
    """Whether this is a voice or a stage channel."""
    threads_possible: bool = True
    """Whether this kind of channel can have threads."""
    settings: GuildSettings = GuildSettings()
    """The settings of the server, without channels and roles that are deleted."""
    deleted: bool = False
    """Whether some of the chosen channels or roles are deleted."""
    allowed_place: bool = True
    allowed_role: bool = True
    """Whether whoever asks has one of the roles that may open tables."""
    store_ms: float | None = 1.0
    """How long the database took to answer; ``None``: it did not answer."""
    clock_ms: int = 0
    """By how much the machine's clock is behind Discord's."""
    emojis: tuple[int, int] | None = None
    """(how many drawings Discord has, how many there are); ``None``: cards are shown as text."""
    registered: bool = True
    """Whether Discord has accepted the newest commands."""
    connected: bool = True
    """Whether the shard of this server has a connection to Discord."""
    latency_ms: int | None = None
    """How long Discord takes to answer on this connection; ``None``: not known yet."""
    shard: tuple[int, int] = (0, 1)
    """(the shard of this server, how many there are)."""
    live: int = 0
    """How many tables are live in this server."""
    most: int = 0
    """How many live tables the operator allows; 0: any number."""
    here: bool = False
    """Whether a table is live in this channel."""
    aside: tuple[int, ...] = ()
    """The channels of tables that are set aside."""
    closed_dms: tuple[int, ...] = ()
    """The players at the table here who accept no direct messages."""
    dms_paused_until: int = 0
    """Until when (ms) no direct messages are opened, because Discord said there were too many; 0: they are opened."""
    flagged: bool = False
    """Whether they are not opened because Discord has flagged the app as spam."""


Check = Callable[[DoctorFacts, Words], Sequence[Finding]]


def _check_bot_membership(facts: DoctorFacts, words: Words) -> list[Finding]:
    """A finding if the bot is no member of the server, or not in this private thread; empty list if all is well."""
    if not facts.member:
        remedy = words("Someone with the Manage Server permission can invite me again: {link}", link=facts.link)
        return [Finding(Severity.BAD, words("The server has my commands, but I am not a member."), remedy)]
    if not facts.in_private_thread:
        return [Finding(Severity.BAD, words("I am not in this private thread."), words("Mention me here once."))]
    return []


def _check_permissions(facts: DoctorFacts, words: Words) -> list[Finding]:
    """Findings on permissions that the bot lacks in this channel, or one that it has all; empty if it is no member."""
    if not facts.member:
        return []
    unneeded = {SENDS, MAKES_THREADS} if facts.thread else set()
    if not facts.voice:
        unneeded |= {CONNECTS}
    if not facts.thread and not facts.settings.threads:
        unneeded |= {MAKES_THREADS}
    if not facts.thread and not facts.threads_possible:
        unneeded |= {MAKES_THREADS, SENDS_IN_THREADS}
    found = []
    for key, need in NEEDS.items():
        if key not in facts.granted and key not in unneeded:
            vital = need.vital and (key != SENDS_IN_THREADS or facts.thread)
            remedy = words(
                "Edit Channel → Permissions: add me there, if I am missing, and allow **{name}**.",
                name=words(need.name),
            )
            found.append(Finding(Severity.BAD if vital else Severity.POOR, words(need.without), remedy))
    return found or [Finding(Severity.GOOD, words("I have all permissions that I need in this channel."))]


def _check_asker_may_open_tables(facts: DoctorFacts, words: Words) -> list[Finding]:
    """Findings on whether the person who asks may open a table in this channel, by the server's settings."""
    found = []
    if facts.deleted:
        said = words("Some of the channels or roles that were chosen for tables are deleted. They do not count.")
        found.append(Finding(Severity.POOR, said, words("Choose others with /settings.")))
    if not facts.allowed_place and not facts.settings.channels:
        said = words("Tables may not be opened anywhere: the channels that were chosen for them are deleted.")
        found.append(Finding(Severity.BAD, said, words("Choose other channels with /settings.")))
    elif not facts.allowed_place:
        names = [f"<#{it}>" for it in facts.settings.channels[:MOST_NAMED]]
        said = words("Tables may not be opened in this channel, only in {channels}.", channels=words.list_and(names))
        found.append(Finding(Severity.BAD, said, words("Choose other channels with /settings.")))
    if not facts.allowed_role and not facts.settings.roles:
        said = words("Nobody may open tables: the roles that were chosen for that are deleted.")
        found.append(Finding(Severity.BAD, said, words("Choose other roles with /settings.")))
    elif not facts.allowed_role:
        names = [f"<@&{it}>" for it in facts.settings.roles[:MOST_NAMED]]
        said = words(
            "Only people with one of these roles may open tables, and you have none: {roles}.",
            roles=words.list_and(names),
        )
        found.append(Finding(Severity.POOR, said, words("Choose other roles with /settings.")))
    if facts.settings.threads and not facts.thread and not facts.threads_possible:
        found.append(
            Finding(Severity.POOR, words("Channels of this kind have no threads: tables are in the channel itself."))
        )
    return found or [Finding(Severity.GOOD, words("The settings allow tables here."))]


def _check_table_limit(facts: DoctorFacts, words: Words) -> list[Finding]:
    """A finding on whether the server may have another live table, by its own limit and the operator's."""
    most = stricter_limit(facts.settings.tables, facts.most)
    if most and facts.live >= most:
        said = words("This server has as many live tables as it may ({n}).", n=most)
        return [Finding(Severity.BAD, said, words("End one with /tables, or allow more with /settings."))]
    if facts.here:
        return [Finding(Severity.GOOD, words("A table is live in this channel. There can only be one at a time."))]
    if most:
        return [Finding(Severity.GOOD, words("Live tables on this server: {n} of {most}.", n=facts.live, most=most))]
    return [Finding(Severity.GOOD, words("Live tables on this server: {n}.", n=facts.live))]


def _check_closed_dms(facts: DoctorFacts, words: Words) -> list[Finding]:
    """A finding that names players here who accept no direct messages; empty list if there are none."""
    if not facts.closed_dms:
        return []
    names = words.list_and([f"<@{it}>" for it in facts.closed_dms])
    said = words("I cannot send direct messages to {names}.", names=names)
    return [
        Finding(
            Severity.POOR,
            said,
            words(
                "They can press **{My hand}** at the table. If their privacy settings forbid direct messages, they can"
                " allow them there."
            ),
        )
    ]


def _check_dm_pause(facts: DoctorFacts, words: Words) -> list[Finding]:
    """A finding if Discord keeps the bot from opening direct messages with new people; empty list if it does not."""
    if not facts.dms_paused_until:
        return []
    when = f"<t:{facts.dms_paused_until // 1000}:R>"
    if facts.flagged:
        said = words(
            "Discord has flagged me as spam, so I open no direct messages with new people. I try again {when}.",
            when=when,
        )
        return [
            Finding(Severity.POOR, said, words("The operator of this bot has to ask Discord’s support to lift it."))
        ]
    said = words(
        "Discord says that I opened too many direct messages. I open none with new people until {when}.", when=when
    )
    return [Finding(Severity.POOR, said, words("Their hands come in the channel meanwhile."))]


def _check_damaged_tables(facts: DoctorFacts, words: Words) -> list[Finding]:
    """A finding that names the channels of damaged tables that were set aside; empty list if there are none."""
    if not facts.aside:
        return []
    names = words.list_and([f"<#{it}>" for it in facts.aside[:MOST_NAMED]])
    said = words("Damaged games were set aside in {channels}.", channels=names)
    return [Finding(Severity.POOR, said, words("Open a new table. The operator of this bot can see why."))]


def _check_statistics_enabled(facts: DoctorFacts, words: Words) -> list[Finding]:
    """A finding if games on this server do not count in statistics; empty list if they do."""
    return (
        []
        if facts.settings.counted
        else [Finding(Severity.POOR, words(NOT_COUNTED), words("Switch them on with /settings."))]
    )


def _check_database(facts: DoctorFacts, words: Words) -> list[Finding]:
    """A finding on whether the database answers, and how fast."""
    if facts.store_ms is None:
        said = words("My database does not answer, so nothing can be played now.")
        return [Finding(Severity.BAD, said, words("The operator of this bot has to look at it."))]
    ms = round(facts.store_ms)
    if facts.store_ms > SLOW_STORE_MS:
        said = words("My database is slow: it took {n} ms to answer.", n=ms)
        return [Finding(Severity.POOR, said, words("The operator of this bot has to look at it."))]
    return [Finding(Severity.GOOD, words("My database answers in {n} ms.", n=max(1, ms)))]


def _check_clock(facts: DoctorFacts, words: Words) -> list[Finding]:
    """A finding on whether the machine's clock agrees with Discord's."""
    if abs(facts.clock_ms) > MOST_CLOCK_ERROR_MS:
        said = words("My machine’s clock is off by {n} ms. I go by Discord’s.", n=abs(facts.clock_ms))
        return [Finding(Severity.POOR, said, words("The operator of this bot should set it (NTP)."))]
    return [Finding(Severity.GOOD, words("My clock is right to within {n} ms.", n=max(1, abs(facts.clock_ms))))]


def _check_connection(facts: DoctorFacts, words: Words) -> list[Finding]:
    """A finding on the connection of this server's shard to Discord: lost or not, and how fast Discord answers."""
    number, count = facts.shard
    where = words("shard {n} of {count}", n=number + 1, count=count)
    if not facts.connected:
        said = words("I have just lost the connection to Discord ({shard}).", shard=where)
        return [Finding(Severity.BAD, said, words("Wait a minute; no time counts against anybody."))]
    if facts.latency_ms is None:
        return [Finding(Severity.GOOD, words("I am connected to Discord ({shard}).", shard=where))]
    said = words("Discord answers me in {n} ms ({shard}).", n=facts.latency_ms, shard=where)
    return [Finding(Severity.POOR if facts.latency_ms > SLOW_ANSWER_MS else Severity.GOOD, said)]


def _check_commands_and_emojis(facts: DoctorFacts, words: Words) -> list[Finding]:
    """Findings on whether Discord has the bot's newest commands and all its drawings, as emojis."""
    found = []
    if not facts.registered:
        said = words("Discord has not taken my newest commands yet.")
        found.append(Finding(Severity.POOR, said, words("I try again every few minutes.")))
    if facts.emojis is not None and facts.emojis[0] < facts.emojis[1]:
        there, all_ = facts.emojis
        said = words("Discord has {n} of my {all} drawings: the other cards are shown as text.", n=there, all=all_)
        found.append(Finding(Severity.POOR, said, words("I try again every few minutes.")))
    return found or [Finding(Severity.GOOD, words("Discord has my commands and drawings."))]


CHECKS: Final[Sequence[Check]] = (
    _check_bot_membership,
    _check_permissions,
    _check_asker_may_open_tables,
    _check_table_limit,
    _check_closed_dms,
    _check_dm_pause,
    _check_damaged_tables,
    _check_statistics_enabled,
    _check_database,
    _check_clock,
    _check_connection,
    _check_commands_and_emojis,
)
"""All checks, in the order in which their findings stand."""


def run_doctor_checks(facts: DoctorFacts, words: Words) -> list[Finding]:
    """Run all checks; return their findings, the worst first."""
    found = [finding for check in CHECKS for finding in check(facts, words)]
    order = list(Severity)
    return sorted(found, key=lambda it: -order.index(it.mark))


def doctor_sheet(facts: DoctorFacts, words: Words) -> Sheet:
    """The message of /doctor: a verdict on this channel, then every finding with its remedy, the worst first."""
    found = run_doctor_checks(facts, words)
    bad = sum(it.mark is Severity.BAD for it in found)
    poor = sum(it.mark is Severity.POOR for it in found)
    if bad:
        head = words("**No new game can be played here as it is.**")
    elif poor:
        head = words("Games can be played here, but some things could be better.")
    else:
        head = words("All is well: games can be played here.")
    lines = [f"{it.mark.value} {it.said}" + (f"\n→ {it.remedy}" if it.remedy else "") for it in found]
    return Sheet(
        container(
            [text_display(words("### Check-up of this channel"), head), text_display(*lines)],
            COLOUR_WARNING if bad else COLOUR_DEFAULT,
        )
    )
