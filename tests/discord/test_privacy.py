"""/privacy: what is kept of somebody, what others may know, a file with everything."""

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest
from simcord import interactions
from simcord.actors import MemberActor

from bot.i18n import words
from bot.privacy import PersonalData, pack_export
from bot.tables.preferences import DEFAULTS
from bot.ui.custom_ids import Verb
from engine import record
from engine.verify import verify
from tests.discord.messages import private_text, reply, text_of, verbs
from tests.discord.play import Club
from tests.discord.somebody import NAME, Left, erase, everywhere, export, privacy
from tests.discord.world import EN
from tests.games import ANY

pytestmark = pytest.mark.about(ANY)  # all games are alike here

# What others may know


async def test_what_others_may_know_is_shown_and_holds_after_a_restart(club: Club, zach: MemberActor) -> None:
    shown = await privacy(club, zach)
    assert shown.flags.ephemeral
    assert EN("👁️ Others may find you on leaderboards.") in text_of(shown)
    answer = await club.press(zach, shown, Verb.SHARE, "hide")
    assert reply(answer).id == shown.id
    await club.press(zach, reply(answer), Verb.SHARE, "share")
    await club.restart()
    chosen = club.bot.people.preferences(zach.id)
    assert (chosen.hidden, chosen.replays) == (True, True)
    again = await privacy(club, zach)
    assert EN("🙈 You are hidden: you appear on no leaderboard.") in text_of(again)
    await club.press(zach, again, Verb.SHARE, "show")
    await club.press(zach, await privacy(club, zach), Verb.SHARE, "keep")
    assert club.bot.people.preferences(zach.id) == DEFAULTS


async def test_who_changes_their_mind_keeps_everything(club: Club, zach: MemberActor, left: Left) -> None:
    await club.press(zach, await privacy(club, zach), Verb.SHARE, "hide")
    asked = reply(await club.press(zach, await privacy(club, zach), Verb.ERASE))
    back = reply(await club.press(zach, asked, Verb.PRIVACY))
    assert Verb.EXPORT in verbs(back)
    assert left() == ["preferences.user_id"]


async def test_who_sits_at_one_of_the_tables_reads_that_they_leave_it(club: Club, zach: MemberActor) -> None:
    leaves = EN("• You leave your tables now. A computer plays on, and you can’t take the seat back.")
    await club.bruno.slash(club.guild.create_text_channel("another"), "play", game=club.case.game)
    for plays in (False, True):
        if plays:
            await club.open(zach, start=False)
        asked = await club.press(zach, await privacy(club, zach), Verb.ERASE)
        assert (leaves in private_text(asked)) is plays


async def test_it_speaks_their_language_to_the_end(club: Club, zach: MemberActor) -> None:
    await club.bot.people.change(zach.id, lambda it: it._replace(locale="de"))
    assert words("de")("### Your data is erased") in await erase(club, zach)


# The file


async def test_the_file_holds_everything_and_nothing_of_others(club: Club, zach: MemberActor, tmp_path: Path) -> None:
    kept = await everywhere(club, zach, tmp_path)
    found = await export(club, zach)
    text = json.dumps(found)
    assert (found["user"], found["names"]) == (str(zach.id), [NAME])
    assert not [other.name for other in club.people if other is not zach and f'"{other.name}"' in text]
    assert not [other.id for other in club.people if other is not zach and str(other.id) in text]
    ((own,), rest) = ([it for it in found["records"] if it["table"] == kept], found["records"])
    assert len(rest) == 2
    assert own["your_name"] == NAME
    seats = {seat["id"]: seat["kind"] for seat in own["record"]["seats"]}
    assert seats[own["you_are"]] == "person"
    verify(record.decode_record(json.dumps(own["record"], separators=(",", ":")).encode()))
    assert found["preferences"][0]["replays"] == "yes"
    assert {"game": "a", "what": "games", "n": 1} in found["totals"]
    assert [len(found[name]) for name in ("ratings", "rating_steps", "direct_messages", "days")] == [1, 1, 1, 1]
    assert {it["phase"] for it in found["tables"]} == {"lobby", "playing", "over"}
    assert any(it["you_were_removed"] for it in found["tables"])
    assert {it["ending"]: it["you_ended_it"] for it in found["tables"]}["ended"] is False, "anna did"
    secret = club.table().secret
    assert secret not in text, "the secret of a game that runs"
    assert [it["slot"] for it in found["messages"]] == [f"hand:{club.seat(zach)}"]


def test_what_is_too_large_is_compressed_and_then_the_oldest_games_are_left_out() -> None:
    noise = random.Random(1)
    records = [{"n": n, "noise": f"{noise.getrandbits(8000):x}"} for n in range(20)]
    it = PersonalData({"format": 1}, records)
    whole = pack_export(it)
    assert (whole.name, whole.left_out) == ("my-data.json", 0)
    assert pack_export(it, len(whole.data)).name == "my-data.json"
    small = pack_export(it, len(whole.data) - 1)
    assert (small.name, small.left_out) == ("my-data.json.gz", 0)
    for limit in (10_000, 5_000, 500):
        part = pack_export(it, limit)
        found = json.loads(gzip.decompress(part.data))
        assert len(part.data) <= limit
        assert found["records_left_out"] == part.left_out > 0
        assert [each["n"] for each in found["records"]] == list(range(part.left_out, 20))
        fewer = pack_export(PersonalData(it.document, records[part.left_out - 1 :]), None)
        assert len(gzip.compress(fewer.data)) > limit - 200, "no more is left out than must be"


async def test_discords_limit_is_kept(club: Club, zach: MemberActor, monkeypatch: pytest.MonkeyPatch) -> None:
    await club.open(zach, club.bruno)
    await club.finish()
    whole = await export(club, zach)
    size = len(gzip.compress(json.dumps({**whole, "records": []}).encode()))
    base = interactions.base_payload

    def small(*args: Any, **how: Any) -> Any:
        found, payload = base(*args, **how)
        return found, {**payload, "attachment_size_limit": size + 200}

    monkeypatch.setattr(interactions, "base_payload", small)
    shown = await privacy(club, zach)
    answer = reply(await club.press(zach, shown, Verb.EXPORT))
    (file,) = answer.attachments
    data = await file.read()
    assert len(data) <= size + 200
    assert json.loads(gzip.decompress(data))["records_left_out"] == 1
    assert "1 game, the oldest, did not fit." in text_of(answer)
