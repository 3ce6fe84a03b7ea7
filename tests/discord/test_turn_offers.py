"""A turn's time counts from when Discord has taken something that offers the turn to its person. Time in which Discord
takes nothing counts against nobody."""

from pathlib import Path

from simcord.actors import MemberActor

from bot.delivery.slots import UNREACHED_MS
from bot.tables.options import Options, Pace
from bot.tables.service import LATE_OFFER_MS
from tests.discord.messages import text_of
from tests.discord.play import Club, every_game, open_club
from tests.discord.world import dms
from tests.process.faults import every_fault

SECOND = 1_000
MINUTE = 60_000
TURN = 60_000
CLOCK = Options(pace=Pace.OFF, turn_seconds=TURN // 1000, window_ms=0, hold_ms=0)


def refuse(club: Club, status: int, code: int, method: str = "*", path: str = "*") -> None:
    """Discord takes no request of this kind from now on."""
    club.env.inject_error(method, path, status=status, code=code, message="No", times=None)


def timeouts(club: Club) -> int:
    """How many turns in a row have run out, of all players."""
    return sum(player.timeouts for player in club.table().players)


async def turn_runs_out(club: Club, after_ms: int) -> None:
    """The running turn ends by the clock *after_ms* from now, give or take a few seconds."""
    await club.clock.advance(after_ms - 10 * SECOND)
    assert timeouts(club) == 0
    await club.clock.advance(20 * SECOND)
    assert timeouts(club) == 1


@every_fault([(503, 0), (403, 40333), (403, 0), (429, 0)])
async def test_five_minutes_in_which_discord_takes_nothing_time_nobody_out(
    tmp_path: Path, game: str, fault: tuple[int, int]
) -> None:
    async with open_club(tmp_path, game, CLOCK) as club:
        await club.open(club.anna, club.bruno)
        await club.clock.advance(10 * SECOND)
        hand, offers = await club.offered(club.on_turn())
        refuse(club, *fault)
        await club.use(club.on_turn(), hand, offers[0])
        await club.clock.advance(5 * MINUTE)
        assert (timeouts(club), club.ply) == (0, 1)
        club.env.backend.faults.clear()
        await club.clock.advance(40 * SECOND)
        assert timeouts(club) == 0
        assert club.status() in text_of(club.table_message())
        assert "It is your turn" in text_of(club.hand(club.on_turn()))
        await club.clock.advance(15 * SECOND)
        assert timeouts(club) == 0, "at most 30 seconds later it was found out that Discord takes requests again"
        await club.clock.advance(TURN)
        assert timeouts(club) == 1


async def asleep(club: Club) -> MemberActor:
    """Whoever is on turn next was not here for two minutes, so a new message must notify them; return them. Whoever is
    on turn now was here all the time."""
    await club.open(club.anna, club.bruno)
    (sleeper,) = club.others()
    awake = club.on_turn()
    for _ in range(4):
        await club.clock.advance(40 * SECOND)
        await club.bot.tables.update_player(club.table().id, awake.id, active_at=club.clock.now())
        await club.change(turn_began=club.clock.now(), reminded=0)
    return sleeper


@every_game
async def test_while_neither_hand_nor_mention_is_taken_no_time_counts(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, CLOCK) as club:
        sleeper = await asleep(club)
        refuse(club, 503, 0, "POST", "/channels/*/messages")
        await club.play_until_on_turn(sleeper)
        await club.clock.advance(6 * MINUTE)
        assert timeouts(club) == 0
        club.env.backend.faults.clear()
        count = club.dm_count(sleeper)
        await club.clock.advance(MINUTE)
        assert club.dm_count(sleeper) > count or "It is your turn" in text_of(club.hand(sleeper))
        assert timeouts(club) == 0


@every_game
async def test_the_time_of_whose_direct_messages_fail_counts_from_the_mention(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, CLOCK) as club:
        sleeper = await asleep(club)
        refuse(club, 503, 0, "POST", club.dm_path(sleeper))
        refuse(club, 503, 0, "PATCH", f"/channels/{dms(sleeper)[-1].channel.id}/*")
        refuse(club, 503, 0, "PATCH", "/webhooks/*")
        await club.play_until_on_turn(sleeper)
        began = club.table().turn_began
        await club.clock.advance(UNREACHED_MS + 2 * SECOND)
        assert any(f"<@{sleeper.id}>" in text_of(message) for message in club.messages())
        assert club.table().clock_began == began + UNREACHED_MS
        await turn_runs_out(club, TURN)


@every_game
async def test_a_turn_that_is_offered_soon_counts_from_its_beginning(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, CLOCK) as club:
        await club.open(club.anna, club.bruno)
        assert club.table().clock_began == club.table().turn_began
        await turn_runs_out(club, TURN)


@every_game
async def test_what_was_not_offered_before_a_restart_is_not_counted_after_it(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, CLOCK) as club:
        sleeper = await asleep(club)
        refuse(club, 503, 0, "POST", "/channels/*/messages")
        await club.play_until_on_turn(sleeper)
        began = club.table().turn_began
        await club.clock.advance(TURN + 20 * SECOND)
        assert timeouts(club) == 0
        await club.restart()
        assert club.table().clock_began >= began + TURN // 2
        assert club.table().clock_began - began > LATE_OFFER_MS


async def test_a_turn_is_offered_by_a_hand_that_shows_it(club: Club) -> None:
    """Whoever was here a moment ago gets no message of their turn."""
    await club.open(club.anna, club.bruno)
    (second,) = club.others()
    await club.play_until_on_turn(second)
    assert club.dm_count(second) == 1
    assert club.bot.reconciler.is_turn_shown(club.table())
