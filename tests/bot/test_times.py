"""How long everything waits, in figures: those of docs/timing.md, of docs/discord.md, of rulings and
guides."""

from bot.delivery import answers, discord_api, emojis, limits, messages, plan, reconciler, tokens
from bot.delivery.plan import LAST_EDIT_MS, OLD_MS
from bot.tables import limits as table_limits
from bot.tables import live, lobby, outages, passing, play, preferences, ticking, timers
from bot.tables.limits import Limits
from bot.tables.names import QUICK, SLOW, USUAL
from bot.tables.options import TURN_SECONDS, USUAL_TURN_SECONDS, Options, Pace
from cogs import game

SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000


def test_the_beat_the_breath_and_the_result() -> None:
    paced = [Options(pace=pace) for pace in (Pace.SLOW, Pace.NORMAL, Pace.FAST, Pace.OFF)]
    assert [it.beat_ms for it in paced] == [4000, 2000, 1000, 0]
    assert [it.reveal_delay_ms for it in paced] == [2500, 1500, 1000, 0]
    assert [it.round_result_display_ms for it in paced] == [8000, 5000, 5000, 0]
    assert Options(breath=False).reveal_delay_ms == 0


def test_what_the_host_has_not_chosen() -> None:
    assert Options() == Options(Pace.NORMAL, None, window_ms=750, hold_ms=250, game=(), late=True, breath=True)


def test_calls() -> None:
    assert timers.LATE_ARRIVAL_MS == 250
    assert timers.CALL_SHARE == (0.6, 0.9)
    assert timers.MIN_CALL_MS == 900, "0.6 s is hardly possible for people (of the beat of a fast pace)"
    assert timers.HIDDEN_CALL_FACTOR == 1.25, "with 1 or less silence would tell of a call (D9)"
    assert play.ABSURD_LATENCY_MS == 3 * SECOND


def test_computer_players_and_passes() -> None:
    assert (QUICK, USUAL, SLOW) == ((0.6, 1.1), (0.7, 1.6), (1.0, 2.1))
    assert passing.PASS_BEATS == (1.0, 3.0)


def test_turns_and_leaving_l1_l2() -> None:
    assert ticking.TIMEOUTS_TO_GO_AWAY == 2
    assert TURN_SECONDS == (0, 30, 60, 2 * 60, 5 * 60, 60 * 60, 24 * 60 * 60)
    assert USUAL_TURN_SECONDS == 2 * 60
    assert timers.REMINDER_SHARE == 0.25
    assert (timers.PAUSED_MS, timers.IDLE_MS) == (HOUR, DAY)


def test_the_lobby_l5() -> None:
    assert lobby.RESERVED_MS == 2 * MINUTE


def test_outages() -> None:
    assert (outages.ALIVE_INTERVAL_MS, outages.OUTAGES_KEPT_MS) == (10 * SECOND, 8 * DAY)


def test_what_a_server_can_choose() -> None:
    assert preferences.MOST_TABLES == 1000
    assert [it * SECOND for it in preferences.BAN_SECONDS] == [HOUR, DAY, 7 * DAY, 30 * DAY]


def test_what_one_person_may_take_up() -> None:
    """As in docs/hosting.md and .env.example."""
    assert Limits() == Limits(tables_per_person=3, tables_per_server=50, opened_per_person=8)
    assert (table_limits.OPENINGS_COUNT_MS, table_limits.RESEND_PAUSE_MS) == (10 * MINUTE, 30 * SECOND)


def test_timers_that_fail() -> None:
    assert (live.RETRY_MS, live.LAST_RETRY_MS) == (5 * SECOND, 5 * MINUTE)


def test_answers_come_within_the_three_seconds_of_discord() -> None:
    """https://docs.discord.com/developers/interactions/receiving-and-responding"""
    assert messages.RESPONSE_DEADLINE_MS == 3 * SECOND
    assert messages.ACKNOWLEDGE_AFTER_MS + SECOND < messages.RESPONSE_DEADLINE_MS, "the way there and one more try"


def test_tokens_are_used_within_their_15_minutes() -> None:
    """https://docs.discord.com/developers/interactions/receiving-and-responding#followup-messages"""
    assert LAST_EDIT_MS < tokens.TOKEN_LIFE_MS < 15 * MINUTE, "the last word goes by the token"
    assert LAST_EDIT_MS == 13.5 * MINUTE
    assert tokens.REFRESH_AFTER_MS == 5 * MINUTE
    assert tokens.RECORD_AFTER_MS == 4 * MINUTE


def test_how_far_the_table_message_may_be_behind() -> None:
    """As in docs/messages.md."""
    assert (plan.SHORTEST_LAG_MS, plan.LONGEST_LAG_MS, plan.LAG_SHARE) == (20 * SECOND, MINUTE, 20)


def test_messages_are_replaced_before_they_are_an_hour_old_30046() -> None:
    assert HOUR - 10 * MINUTE < OLD_MS < HOUR


def test_what_the_bot_requests_itself_stays_below_discords_limit() -> None:
    """50 a second (https://docs.discord.com/developers/topics/rate-limits#global-rate-limit); 10,000 invalid ones in
    ten minutes (#invalid-request-limit-aka-cloudflare-bans), whoever else at this address makes some."""
    assert limits.PER_SECOND < limits.SENT_PER_SECOND
    assert 1.09 * limits.SENT_PER_SECOND + limits.BURST < 50
    assert limits.INVALID_PERIOD_MS == 10 * MINUTE
    assert limits.MAX_INVALID == 10_000 / 10


def test_direct_messages_are_opened_sparingly() -> None:
    """As in docs/discord.md."""
    assert (discord_api.DMS_AT_ONCE, 1 / discord_api.DMS_PER_SECOND) == (10, 2)
    assert (messages.TOO_MANY_DMS_PAUSE_MS, messages.DMS_CLOSED_MS) == (10 * MINUTE, DAY)


def test_people_are_told() -> None:
    assert plan.INACTIVE_MS == 2 * MINUTE
    assert Options(pace=Pace.NORMAL).round_result_display_ms > answers.CALL_NOTE_MS, "before the next card lands"


def test_what_discord_refuses_is_tried_ever_more_rarely() -> None:
    """As in docs/reliability.md."""
    assert (reconciler.NO_ACCESS_RETRY_MS, reconciler.MAX_REFUSED_RETRY_MS) == (MINUTE, 6 * HOUR)
    assert (reconciler.MAX_RETRY_MS, reconciler.REPLACEMENT_INTERVAL_MS) == (MINUTE, 10 * MINUTE)
    assert emojis.UPLOAD_RETRY_MS == 10 * MINUTE


def test_a_click_is_answered_within_a_second() -> None:
    """As in docs/timing.md: one answer is enough if the move lands this soon."""
    assert play.SOON_MS == 700
    assert play.SOON_MS + 200 < game.MAX_ANSWER_DELAY_MS < SECOND, "the move lands, then it is answered"
