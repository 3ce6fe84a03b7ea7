"""The review of a game that is over: who may look at it, its steps, what stands there."""

from bot.custom_ids import Verb
from engine.record import load
from tests.discord.messages import presses, reply, text_of
from tests.discord.play import Club


async def finished(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.finish()


async def test_who_played_goes_through_the_game_step_by_step(club: Club) -> None:
    await finished(club)
    answer = await club.press(club.anna, club.messages()[-1], Verb.REVIEW)
    message = reply(answer)
    print(text_of(message))
    assert message.flags.ephemeral
    (file,) = [it for it in message.attachments if it.filename.endswith(".json")]
    assert load(await file.read())
    await club.press(club.anna, message, Verb.STEP, "own.start")
    seen = set()
    for _ in range(2000):
        message = club.as_it_is(message)
        text = text_of(message)
        seen.add(text)
        on = {press.arg for _, press in presses(message)}
        if "own.next" not in on:
            break
        await club.press(club.anna, message, Verb.STEP, "own.next")
    print(text)
    assert "🎉" in text
    assert len(seen) > 5
