"""The hand message, for one person: their cards, whether it is their turn, the way back to the table."""

from discord import ButtonStyle

from bot.custom_ids import Verb
from bot.i18n import Words
from bot.present.offers import Offers
from bot.present.registry import PRESENTERS
from bot.present.sheet import COLOUR_DONE, COLOUR_NO, Item, Sheet, box, button, link, row, text
from bot.tables.model import Ending, Phase
from bot.tables.scene import AnyScene


def hand_sheet(scene: AnyScene, words: Words, notice: str = "") -> Sheet:
    """The hand message for the person in ``scene.seat``; *notice*, in their language, stands above (empty: nothing)."""
    presenter = PRESENTERS[scene.game]
    head = f"### {words(presenter.title)} · <#{scene.place.channel}>"
    above: list[Item] = [box([text(notice)], COLOUR_NO)] if notice else []
    to_table = link(words("To the table"), scene.place.url)
    assert scene.seat is not None
    if scene.phase is Phase.OVER:
        return Sheet(*above, box([text(head, _ending_line(scene, words)), row(to_table)], COLOUR_DONE))
    if scene.people[scene.seat].automatic:
        if scene.paused:
            line = words("⏸️ **The game is paused**: it waits until you, or somebody else who was playing, continues.")
            label = words("Continue")
        else:
            line = words("A computer player has your seat. You can take it back.")
            label = words("Take my seat back")
        back = button(label, Verb.COME_BACK, scene.table, style=ButtonStyle.success)
        return Sheet(*above, box([text(head, line), row(back, to_table)], COLOUR_DONE))
    mine = scene.on_turn == scene.seat
    lines = [head]
    if scene.own_move is not None:
        lines.append(presenter.hand.landing(scene.own_move, words))
    elif mine:
        lines.append(words("**It is your turn.**"))
        if scene.turn_ends is not None:
            lines.append("⏱️ " + words("Time is up {when}.", when=f"<t:{scene.turn_ends // 1000}:R>"))
    else:
        lines.append(words(presenter.waiting))
    if scene.people[scene.seat].warned:
        warning = words(
            "Your time ran out, so a computer played for you. If that happens again on your next turn, it takes over "
            "your seat."
        )
        lines.append(f"⏰ {warning}")
    told = bool(scene.outcome) and (mine or presenter.hand.shows_last_round(scene))
    if told and (ended := presenter.board.last_round(scene, words)):
        lines.append(f"-# {ended}")
    controls: list[Item] = []
    may_call = mine and scene.seat in scene.may_call
    if presenter.call and may_call:
        controls.append(button(presenter.call, Verb.CALL, scene.table, scene.ply, style=ButtonStyle.danger))
    controls.append(to_table)
    inner: list[Item] = [text(*lines), *presenter.hand.show(scene, Offers(scene), words), row(*controls)]
    return Sheet(*above, box(inner, presenter.accent if mine else COLOUR_DONE))


def _ending_line(scene: AnyScene, words: Words) -> str:
    """How the game ended, for the person in ``scene.seat``."""
    if scene.ending is Ending.FINISHED:
        if any(standing.seat == scene.seat and standing.place == 1 for standing in scene.standings):
            return words("The game is over: you have won! 🎉")
        return words("The game is over. The table shows how it ended.")
    return words("The game has ended early. Nobody wins.")
