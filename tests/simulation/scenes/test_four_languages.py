"""A German, an Italian, a Dutch and an English person at one table, in virtual time: each reads in their own
language, and what everybody reads is in the server's."""

from bot.custom_ids import Verb
from bot.i18n import words
from bot.present.registry import PRESENTERS
from tests.process.person import Person
from tests.process.waiting import eventually
from tests.process.world import World
from tests.simulation.scenes.scene import simulated


def says(person: Person, text: str) -> bool:
    """Whether any message that *person* has says *text*."""
    return any(text in message.text for message in person.messages.values())


@simulated
async def test_four_people_four_languages_one_table(world: World, game: str) -> None:
    people = world.players(game, most=4)
    locales = [user["locale"].split("-")[0] for user in world.session["users"][: len(people)]]
    assert len(set(locales)) == len(people), "each another language"
    await world.call("POST", f"/local/guilds/{world.guild}", {"locale": "nl"})
    await world.open_game(game, *people, pace="off")
    presenter = PRESENTERS[game]
    for person, locale in zip(people, locales, strict=True):
        turn, waiting = words(locale)("**It is your turn.**"), words(locale)(presenter.waiting)
        await eventually(lambda p=person, t=turn, w=waiting: says(p, t) or says(p, w), f"{locale} hands")
        table = person.table()
        assert table is not None
        assert words("nl")("My hand") in table.text
        await person.click(table, Verb.RULES)
        pages = [words(locale)(topic.title) for topic in presenter.topics]
        await eventually(lambda p=person, n=pages: any(says(p, f"· {title}") for title in n), f"{locale} rules")
    assert sum(message.ply is not None for person in people for message in person.messages.values()) == 1

    # Who may manage the server changes what everybody reads; nobody's hand changes with it.
    before = [{m.id: m.text for m in person.messages.values() if m.direct(world)} for person in people]
    await people[0].slash(world.channel, "language", language="it")
    await eventually(lambda: words("it")("My hand") in people[-1].table().text, "the table in Italian")
    assert [{m.id: m.text for m in p.messages.values() if m.direct(world)} for p in people] == before
