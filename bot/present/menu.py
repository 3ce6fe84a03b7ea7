"""What the menu button opens, only for the person who pressed it."""

from discord import ButtonStyle

from bot.custom_ids import Verb
from bot.i18n import Words
from bot.present.sheet import Item, Option, Sheet, box, button, plain, row, select, text
from bot.tables.model import Phase
from bot.tables.scene import AnyScene


def menu_sheet(scene: AnyScene, words: Words, *, host: bool, moderator: bool) -> Sheet:
    """The menu: where the hand is shown, leave, come back; for the *host* or a *moderator* also replace and end."""
    table = scene.table
    own: list[Item] = []
    if scene.seat is not None:
        person = scene.people[scene.seat]
        if person.automatic:
            own.append(button(words("Take my seat back"), Verb.COME_BACK, table, style=ButtonStyle.success))
        else:
            if person.by_dm:
                own.append(button(words("My hand here instead of by DM"), Verb.HAND, table, arg="stay"))
            else:
                own.append(button(words("My hand by DM"), Verb.HAND_BY_DM, table))
            own.append(button(words("Leave the game"), Verb.LEAVE, table))
    own.append(button(words("Move table to the bottom"), Verb.DOWN_HERE, table))
    items: list[Item] = [text(words("### Menu")), row(*own)]
    if scene.commitment:
        check = words("Shuffle code: {commitment}", commitment=f"`{scene.commitment}`")
        items.append(text(f"-# {check}"))
    if host or moderator:
        others = [
            Option(str(seat), words("{name}: a computer takes over", name=plain(person.name)))
            for seat, person in enumerate(scene.people)
            if not person.automatic and seat != scene.seat
        ]
        if others:
            items.append(row(select(Verb.REPLACE, table, words("Replace a player"), others)))
        items.append(row(button(words("End the game"), Verb.END, table, style=ButtonStyle.danger)))
    return Sheet(box(items))


def leave_sheet(scene: AnyScene, words: Words) -> Sheet:
    """The question whether somebody really wants to leave the game, with a button that confirms it."""
    others = any(not person.automatic for seat, person in enumerate(scene.people) if seat != scene.seat)
    line = (
        words(
            "A computer player takes over your cards and what you have won. "
            "You can take the seat back while the game runs."
        )
        if others
        else words("Nobody else is at the table now, so the game waits until one of you comes back.")
        if any(person.timed_out for person in scene.people)
        else words("You are the only person at this table: the game ends, and nobody wins.")
    )
    sure = button(words("Yes, leave"), Verb.LEAVE_FOR_SURE, scene.table, style=ButtonStyle.danger)
    return Sheet(box([text(words("### Leave the game?"), line), row(sure)]))


def left_sheet(scene: AnyScene, words: Words) -> Sheet:
    """What somebody reads who has left the game, with a button to come back while it runs."""
    if scene.phase is Phase.OVER:
        return Sheet(box([text(words("You have left the game, and it is over: nobody else was there."))]))
    back = button(words("Take my seat back"), Verb.COME_BACK, scene.table, style=ButtonStyle.success)
    line = words("You have left the game. You can take your seat back while it runs.")
    return Sheet(box([text(line), row(back)]))


def end_sheet(scene: AnyScene, words: Words) -> Sheet:
    """The question whether a host or moderator really wants to end the game for everybody, with a button that confirms
    it."""
    line = words("The game ends now, for everyone, and nobody wins.")
    sure = button(words("Yes, end it"), Verb.END_FOR_SURE, scene.table, style=ButtonStyle.danger)
    return Sheet(box([text(words("### End the game?"), line), row(sure)]))
