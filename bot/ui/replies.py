"""Short private answers: why something was refused and what to do now, apologies, help."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from discord import ButtonStyle

from bot.i18n import N_, Words
from bot.tables.errors import Why
from bot.tables.model import NO_SERVER, Phase
from bot.tables.scene import AnyScene
from bot.ui.components import (
    COLOUR_WARNING,
    Component,
    Sheet,
    action_row,
    bold_name,
    button,
    container,
    escaped_name,
    escaped_text,
    link_button,
    text_display,
)
from bot.ui.custom_ids import ELSEWHERE, Verb
from bot.ui.hand_message import NEXT_LABEL
from bot.ui.menu import takeable_computer_seat_select
from bot.ui.registry import LESSON_GAME, PRESENTERS
from engine.errors import General, Reason

REFUSALS: Final[Mapping[Why, str]] = {
    Why.NO_SUCH_TABLE: N_("This button no longer works: its table is gone."),
    Why.SET_ASIDE: N_(
        "This game is damaged and cannot go on, so it was set aside. "
        "The operator of this bot can see why. Open a new table with /play."
    ),
    Why.NO_TABLE_HERE: N_("There is no table in this channel. Open one with /play."),
    Why.TABLE_ELSEWHERE: N_("There is no table in this channel. You play in {channels}: use the command there."),
    Why.TABLE_OPEN_HERE: N_(
        "There is already a table in this channel; {host} or a moderator can end it with /table end."
    ),
    Why.BUTTON_DEAD: N_("This button no longer works."),
    Why.NO_SUCH_COMMAND: N_("I don’t know that command. /help lists them all."),
    Why.NOT_A_SERVER: N_("This is for servers: use it in a channel of one."),
    Why.BOT_LACKS: N_(
        "I am missing permissions here: {permissions}. Someone who manages this channel can grant them in its settings."
    ),
    Why.ALREADY_JOINED: N_("You are already at this table."),
    Why.NOT_JOINED: N_("You are not at this table yet. Press **{Join}** to take a seat."),
    Why.TABLE_FULL: N_("This table is full: {most} players at most."),
    Why.NO_RECORD: N_("The record of this game is not kept any more."),
    Why.NO_REPLAY: N_(
        "I can’t show you that game. Those who played a game can review it; others can if everyone who played has "
        "agreed (/privacy). /replay lists the games that you can see."
    ),
    Why.REPLAY_LATER: N_("This game is still running. You can review it when it is over."),
    Why.OLD_RECORD: N_("This game was played with an early version of the bot, whose records I no longer read."),
    Why.OTHER_RULES: N_("The rules of this game have changed since then, so it cannot be replayed."),
    Why.BAD_RECORD: N_("The record of this game is damaged, so it cannot be replayed."),
    Why.EMPTY_CUT: N_("A cut needs a word or phrase: write anything you like."),
    Why.TOO_FEW: N_("At least {least} players are needed; {now} here so far. Invite someone or add a computer player."),
    Why.NO_COMPUTER: N_("There is no computer player at this table."),
    Why.ALREADY_STARTED: N_("The game has already started."),
    Why.NOT_STARTED: N_("The game has not started yet."),
    Why.GAME_FINISHED: N_("This game is over."),
    Why.HOST_ONLY: N_("Only {host} or a moderator can do that."),
    Why.MANAGERS_ONLY: N_("Only someone with the Manage Server permission can do that."),
    Why.MODERATORS_ONLY: N_("Only someone with the Manage Messages permission can do that."),
    Why.BANNED: N_("You are banned from the tables of this server until {until}."),
    Why.JUST_POSTED: N_("Somebody has just shared a result here. Try again in half a minute."),
    Why.NO_DAILY: N_("This game has no deal of the day."),
    Why.DAY_OVER: N_("The day of this deal is over. Use /daily for the new one."),
    Why.DAY_CLOSED: N_(
        "An update has changed the computer players, so today’s deal is closed: it would not be the same for everyone. "
        "The next one comes at midnight UTC."
    ),
    Why.DAY_STARTED: N_("You have started this deal already, in another message. Use /daily to get there."),
    Why.NOT_PLAYED: N_("You have not finished this deal. Use /daily to play it."),
    Why.TAKES_NO_DMS: N_(
        "The deal of the day is played in direct messages, and Discord does not let me write to you. Allow direct "
        "messages from this server in its privacy settings, or open a conversation with me and use /daily there."
    ),
    Why.NO_TABLES_HERE: N_(
        "There are no tables here: play in a channel of a server that I am in, or alone in direct messages with me."
    ),
    Why.BANNED_BY_HOST: N_("Whoever runs this bot has banned you from playing with it."),
    Why.NOT_A_MEMBER: N_("You are not on the server of this table any more."),
    Why.OTHER_CHANNELS: N_("No tables can be opened here. On this server they are opened in {channels}."),
    Why.OTHER_ROLES: N_("On this server only people with one of these roles can open tables: {roles}."),
    Why.BROKEN_TEXT: N_(
        "There is half an emoji in what you wrote, so I cannot read it. Nothing has changed; please write it again."
    ),
    Why.CHANNEL_GONE: N_("The channel of that game is not there any more. Open a new table with /play somewhere else."),
    Why.CHANNELS_DELETED: N_(
        "No tables can be opened: the channels that were chosen for them on this server are deleted. "
        "Someone with the Manage Server permission can choose others with /settings."
    ),
    Why.ROLES_DELETED: N_(
        "No tables can be opened: the roles that were chosen for that on this server are deleted. "
        "Someone with the Manage Server permission can choose others with /settings."
    ),
    Why.BAD_NUMBER: N_(
        "“{said}” is not a whole number from {least} to {most}. Nothing has changed; press the button again."
    ),
    Why.SELF_BAN: N_("That person cannot be banned from tables."),
    Why.PLAYERS_ONLY: N_("Only players at this table can do that."),
    Why.NOT_AT_TABLE: N_(
        "You have no seat at this table. You are welcome to watch, or open one of your own with /play."
    ),
    Why.AWAY: N_("A computer player has your seat. Take it back first."),
    Why.NOT_AWAY: N_("You already have your seat."),
    Why.HAND_CHANGED: N_("The game has moved on since you saw that. This is your hand now."),
    Why.ROUND_OVER: N_("Too late, that is already over. Look at the table."),
    Why.MOVED_ON: N_("The game has moved on since you saw that. Look again."),
    Why.CARD_WAS_FIRST: N_("{name} was faster. Look again."),
    Why.CALL_STANDS: N_("{names} called {call} first, so nothing can be played now."),
    Why.CALLED_TOO_LATE: N_("{name} called {call} a moment before you."),
    Why.NEXT_FIRST: N_("First call **{call}**, or press **{next}**. Then you can play a card."),
    Why.NEXT_PRESSED: N_("You have pressed **{next}**, so you cannot call before the next card."),
    Why.NO_HINTS: N_(
        "There are no hints at this table. The host can switch them on with **{Options}** before the game starts."
    ),
    Why.NOT_ALONE: N_(
        "No hints here: they are for one person alone against computers, and pause while somebody else plays."
    ),
    Why.NOTHING_TO_DECIDE: N_("There is nothing for you to decide at the moment."),
    Why.NOBODY_TO_REPLACE: N_("A computer is already playing that seat."),
    Why.NOBODY_TO_REMOVE: N_("There is nobody in that seat whom you could remove."),
    Why.REMOVED: N_("The host has removed you from this table."),
    Why.NO_FREE_SEAT: N_("There is no computer player whose seat you could take."),
    Why.REMATCH_OPEN: N_("The rematch is open already, with a seat for you."),
    Why.NOT_FINISHED: N_("This game is still running."),
    Why.TOO_MANY_TABLES: N_(
        "You have as many tables open as you may ({n}): {places}. Close one of them in its menu, or wait until a game "
        "is over."
    ),
    Why.SERVER_FULL: N_("This server has as many tables as it may ({n}). Wait until one of the games is over."),
    Why.TOO_OFTEN: N_("You have opened many tables recently. You can open the next one {when}."),
    Why.JUST_MOVED: N_("The table has only just been moved. It can be moved again {when}."),
    Why.NOT_IN_THREAD: N_("I am not in this private thread. Mention me here once, then use /play again."),
    Why.NO_BOT_HERE: N_(
        "I am not a member of this server, so there are no tables here. Someone with the Manage Server permission can "
        "invite me, as a bot; and you can play alone in your direct messages with me."
    ),
    Why.FILE_TOO_LARGE: N_("That file is too large to be the record of a game."),
    Why.FILE_LOST: N_("I could not load that file from Discord. Please try again."),
    Why.NO_MESSAGE_ID: N_(
        "That is not the ID of a message. In the message’s menu choose *Copy Message Link* and paste that."
    ),
    Why.NO_CODE: N_("That is not a code: type at least its first 8 digits, which are 0 to 9 and a to f."),
    Why.AT_WORK: N_("I am still at work on that. Please wait for the answer."),
    Why.TRY_AGAIN: N_("That did not work this time. Nothing is lost: please try again in a moment."),
}

BANNED_BECAUSE: Final = N_("You are banned from the tables of this server until {until}. A moderator wrote: {reason}")
"""The sentence for ``Why.BANNED`` if there is a reason."""
OWN_TABLE_HERE: Final = N_("There is already a table of yours in this channel; you can end it with /table end.")
"""The sentence for ``Why.TABLE_OPEN_HERE`` that the table's host reads."""
MOST_NAMED: Final = 10
"""The most channels or roles that a sentence names."""
SEAT_FREE: Final = N_("You are not playing at this table, but a computer’s seat is free: take it, or watch!")
"""The sentence for ``Why.NOT_AT_TABLE`` that a person reads who may take a seat (L4)."""
BEGUN_SEAT_FREE: Final = N_("The game has already started, but a computer’s seat is free: take it, or watch!")
"""The sentence for ``Why.ALREADY_STARTED`` that a person reads who may take a seat."""
OFFERS_SEAT: Final[Mapping[Why, str]] = {Why.NOT_AT_TABLE: SEAT_FREE, Why.ALREADY_STARTED: BEGUN_SEAT_FREE}
"""Refusals after which a person without a seat is offered a computer's seat, with their sentences."""
ILLEGAL: Final[Mapping[Reason, str]] = {
    General.GAME_OVER: N_("This game is over."),
    General.NOT_YOUR_TURN: N_("It is {turn}’s turn, not yours."),
    General.NOT_IN_HAND: N_("That card is gone: your hand has changed. This is your hand now."),
    General.NOTHING_TO_CALL: N_("There is nothing to call yet."),
    General.MALFORMED: N_("This button no longer works."),
}


def refusal_text(why: Why, facts: Mapping[str, Any], scene: AnyScene | None, words: Words) -> str:
    """Return the translated sentence that explains the refusal *why*, with *facts* filled in, names escaped; the game
    of *scene* (``None``: no table) may have its own."""
    shown: dict[str, Any] = dict(facts)
    if "name" in shown:
        shown["name"] = bold_name(shown["name"])
    if "names" in shown:
        shown["names"] = words.list_and([bold_name(name) for name in shown["names"]])
    shown.setdefault("host", _host_name(scene, words))
    shown.setdefault("call", PRESENTERS[scene.game].call if scene else "")
    shown.setdefault("next", words(NEXT_LABEL))
    if "until" in shown:
        shown["until"] = f"<t:{shown['until'] // 1000}:f>"
    if "places" in shown:
        shown["places"] = _places_text(shown["places"], words)
    for key, mark in (("channels", "#"), ("roles", "@&")):
        if key in shown:
            shown[key] = words.list_and([f"<{mark}{it}>" for it in shown[key][:MOST_NAMED]])
    if shown.get("said") is not None:
        shown["said"] = escaped_name(shown["said"])
    special = PRESENTERS[scene.game].refusals.get(why) if scene else None
    if why is Why.BANNED and shown.get("reason"):
        special, shown["reason"] = BANNED_BECAUSE, escaped_text(shown["reason"])
    if why is Why.TABLE_OPEN_HERE and scene is not None and _viewer_is_host(scene):
        special = OWN_TABLE_HERE
    if why in OFFERS_SEAT and scene is not None and takeable_computer_seat_select(scene, words):
        special = OFFERS_SEAT[why]
    return words(special or REFUSALS[why], **shown)


def _places_text(places: Sequence[tuple[int, int]], words: Words) -> str:
    """Say where tables are: *places* are their (server, channel), with server 0 in direct messages."""
    channels = dict.fromkeys(f"<#{channel}>" for guild, channel in places if guild != NO_SERVER)
    alone = [words("your direct messages with me")] if any(guild == NO_SERVER for guild, _ in places) else []
    return words.list_and([*channels, *alone][:MOST_NAMED])


def illegal_move_text(reason: Reason, scene: AnyScene, words: Words) -> str:
    """The sentence that explains the rule (*reason*) that forbids a move; the game of *scene* may have its own."""
    presenter = PRESENTERS[scene.game]
    sentence = presenter.illegal.get(reason) or ILLEGAL[reason]
    turn = scene.on_turn
    facts = {
        "turn": bold_name(scene.name(turn)) if turn is not None else "",
        **presenter.board.refusal_placeholders(scene, words),
    }
    return words(sentence, **facts)


def _host_name(scene: AnyScene | None, words: Words) -> str:
    """The name of the table's host in bold, with "(host)"; "the host" without a table or if they do not sit there."""
    if scene is not None:
        for person in scene.people:
            if person.user == scene.host:
                return words("{name} (host)", name=bold_name(person.name))
    return words("the host")


def _viewer_is_host(scene: AnyScene) -> bool:
    """Whether the viewer of *scene* sits at the table and is its host; false for the public."""
    return scene.seat is not None and scene.people[scene.seat].user == scene.host


def private_note_sheet(sentence: str, *rows: Component) -> Sheet:
    """Build a short private reply: one sentence in a frame of the warning colour, and below it *rows* of controls."""
    return Sheet(container([text_display(sentence), *rows], COLOUR_WARNING))


CALL_AGAIN_AFTER: Final = frozenset({Why.MOVED_ON, Why.CARD_WAS_FIRST})
"""Refusals after which the person may still want to call: they get a call button."""


def refusal_controls(why: Why | Reason | None, scene: AnyScene, words: Words) -> list[Component]:
    """Rows of controls that help after the refusal *why*: a free seat, call again, the rule, the way to the table."""
    buttons: list[Component] = []
    presenter = PRESENTERS[scene.game]
    may_call = scene.phase is Phase.PLAYING and scene.seat in scene.may_call and not scene.callers
    if presenter.call and may_call and why in CALL_AGAIN_AFTER:
        buttons.append(button(presenter.call, Verb.CALL, scene.table, scene.ply, style=ButtonStyle.danger))
    page = presenter.pages_for.get(why) if why is not None else None
    if page is not None:
        buttons.append(button(words("Why?"), Verb.RULES, scene.table, arg=page))
    if why is Why.REMATCH_OPEN and scene.phase is Phase.LOBBY:
        take = words("Take your seat")
        buttons.append(button(take, Verb.JOIN, scene.table, arg=ELSEWHERE, style=ButtonStyle.success))
    buttons.append(link_button(words("To the table"), scene.place.url))
    return [*(takeable_computer_seat_select(scene, words) if why in OFFERS_SEAT else ()), action_row(*buttons)]


def bug_apology_sheet(reference: str, words: Words) -> Sheet:
    """The apology after a bug prevented an answer; the number *reference* finds the traceback in the log."""
    return private_note_sheet(
        words(
            "Sorry, something went wrong on my side. Nothing is lost. "
            "If it happens again, give the operator this number: {reference}",
            reference=f"`{reference}`",
        )
    )


def try_again_sheet(words: Words) -> Sheet:
    """Build the message that asks the person to try again in a moment, after a temporary problem."""
    return private_note_sheet(refusal_text(Why.TRY_AGAIN, {}, None, words))


def help_sheet(words: Words) -> Sheet:
    """The message of /help: every command in a line, and what each game is."""
    lines = [
        words("## Card games in this channel"),
        words("**/play** opens a table. Friends press **{Join}** or you add computer players; then press **{Start}**."),
        words("Alone: **/play** in direct messages with me."),
        words("**/daily**: the deal of the day. The same cards for everyone, one attempt."),
        words("**/table show** moves the table to the bottom of the channel."),
        words("**/table hand** shows your hand (only you can see it)."),
        words("**/table leave** and **/table return**: a computer player keeps your seat while you are away."),
        words("**/table end** ends the game (host or moderator)."),
        words("**/rules** explains the game, page by page."),
        words("**/learn** is a short guided round of {game}.", game=words(PRESENTERS[LESSON_GAME].title)),
        words("**/replay** goes through a finished game again, step by step."),
        words("**/verify** checks the record of a game that is over."),
        words("**/me**: your language, where you get your hand, when you are told of your turn."),
        words("**/profile**: your games in numbers, and your rating, if you want one."),
        words(
            "**/leaderboard** shows the best of this server, if someone with the Manage Server permission has switched"
            " it on."
        ),
        words("**/privacy**: what I keep about you. Get it as a file, or erase it."),
        words("**/language** sets the language of this server’s tables (needs Manage Server)."),
        words("**/settings**: where and how tables are opened on this server (needs Manage Server)."),
        words("**/tables** and **/doctor**: for moderators, all live tables and what works in a channel."),
        words("Your hand comes by direct message. If you don’t receive it, press **{My hand}** at the table."),
    ]
    games = [f"**{words(presenter.title)}**: {words(presenter.teaser)}" for presenter in PRESENTERS.values()]
    return Sheet(container([text_display(*lines), text_display(*games)]))
