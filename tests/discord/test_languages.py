"""Four people, four languages: what everybody reads is in the server's language, what one person reads in theirs."""

import discord
import pytest
from simcord.actors import MemberActor

from bot.i18n import words
from bot.tables.errors import Why
from bot.ui.custom_ids import Verb, custom_id
from bot.ui.replies import REFUSALS
from tests.discord.forged import forge
from tests.discord.held import held_back, replay
from tests.discord.messages import private_text, reply, text_of
from tests.discord.play import Club
from tests.discord.test_me import prefer
from tests.discord.world import EN
from tests.games import ANY
from tests.texts import PLACEHOLDER, forms, written

pytestmark = pytest.mark.about(ANY)  # all games are alike here


def manager(club: Club) -> MemberActor:
    """Somebody who manages the server."""
    role = club.guild.create_role("Boss", permissions=discord.Permissions(manage_guild=True))
    return club.guild.add_member(club.env.create_user("boss"), roles=[role])


async def test_tables_speak_what_moderators_chose(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    english, german = EN("Rules"), words("de")("Rules")
    assert english in text_of(club.table_message())
    boss = manager(club)
    await boss.slash(club.channel, "language", language="de")
    assert german in text_of(club.table_message())
    await club.restart()
    assert german in text_of(club.table_message())
    await boss.slash(club.channel, "language", language="server")
    assert english in text_of(club.table_message())
    assert german not in text_of(club.table_message())


async def test_somebody_who_reaches_the_command_anyway_is_refused_in_their_language(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Application Commands, Permissions: in the settings of a server a command can be given to anybody, so who manages
    the server is checked again."""
    (command,) = [c for c in club.bot.tree.get_commands() if c.name == "language"]
    monkeypatch.setattr(command, "default_permissions", None)  # every bot of this process has the same commands
    await club.bot.tree.sync()
    await club.open(club.anna, club.bruno)
    before = text_of(club.table_message())
    assert EN(REFUSALS[Why.MANAGERS_ONLY]) in private_text(
        await club.anna.slash(club.channel, "language", language="de")
    )
    assert text_of(club.table_message()) == before
    await manager(club).slash(club.channel, "language", language="de")
    assert text_of(club.table_message()) != before


async def test_labels_of_the_table_are_quoted_in_its_language(club: Club) -> None:
    """Who reads English at an Italian table finds the button that an answer names."""
    await manager(club).slash(club.channel, "language", language="it")
    await club.open(club.anna, club.bruno)
    label = words("it")("My hand")
    assert label in text_of(club.table_message())
    help_ = await club.carla.slash(club.channel, "help")
    assert f"press **{label}** at the table" in private_text(help_)
    rules = await club.press(club.carla, club.table_message(), Verb.RULES)
    for page in [topic.key for topic in club.presenter.rules_pages]:
        shown = await club.choose(club.carla, reply(rules), Verb.TOPIC, f"{club.presenter.game}.{page}")
        assert EN("My hand") not in private_text(shown)


async def test_an_answer_calls_commands_as_the_persons_discord_does(club: Club) -> None:
    """Localization (https://docs.discord.com/developers/interactions/application-commands#localization): a client knows
    a command by the name in its own language alone. Anna has chosen German; her Discord is English."""
    await prefer(club, club.anna, locale="de")
    shown = private_text(await club.anna.slash(club.channel, "replay"))
    assert "Hier gibt es noch keine beendete Partie" in shown
    assert "/play" in shown and "/spielen" not in shown


def test_a_label_that_an_answer_quotes_stands_on_a_button() -> None:
    quoted = {name for text in written() for form in forms(text.id) for name in PLACEHOLDER.findall(form)}
    labels = {name for name in quoted if name[:1].isupper()}
    controls = {"Join", "Start", "My hand", "Continue", "Menu", "Options", "Cut the deck", "Check the deal"}
    assert labels == {*controls, "Shuffle code", "Deal code"}
    assert labels <= {form for text in written() for form in forms(text.id)}


async def test_a_server_that_has_chosen_nothing_speaks_as_whoever_opens_the_table(club: Club) -> None:
    """Only Community servers have a language of their own; of all others Discord says American English
    (https://docs.discord.com/developers/resources/guild#guild-object)."""
    await prefer(club, club.anna, locale="de")
    for community, language in ((False, "de"), (True, "it")):
        guild = club.env.backend.get_guild(club.guild.id)
        guild.features = ["COMMUNITY"] if community else []
        known = club.bot.get_guild(club.guild.id)
        assert known is not None
        known.features, known.preferred_locale = list(guild.features), discord.Locale.italian
        channel = club.guild.create_text_channel(f"room-{language}")
        await club.anna.slash(channel, "play", game=club.case.game)
        assert words(language)("Options") in text_of(club.table_message(channel))


async def test_a_click_brings_name_and_language_along(club: Club) -> None:
    """A moderator has changed the name meanwhile, and their client speaks another language now."""
    await club.open(club.anna, club.bruno)
    version = club.table().version
    async with held_back(club) as waiting:
        await club.press(club.anna, club.table_message(), Verb.RULES)
    waiting[0]["member"]["nick"] = "Annabel"
    waiting[0]["locale"] = "it"
    await replay(club, waiting)
    player = club.table().players[club.seat(club.anna)]
    assert (player.name, player.locale) == ("Annabel", "it")
    assert "Annabel" in text_of(club.table_message())
    await club.press(club.bruno, club.table_message(), Verb.RULES)
    assert club.table().version == version + 1, "what has not changed costs nothing"


async def test_a_click_in_direct_messages_brings_the_language_along_but_no_name(club: Club) -> None:
    """There Discord does not say what they are called on the server."""
    bea = club.guild.add_member(club.env.create_user("bea"), nick="Beatrice")
    await club.open(bea, club.bruno)
    before = club.table()
    rules = custom_id(Verb.RULES, before.id)
    await forge(club, bea, rules, club.hand(bea))
    assert club.table().version == before.version, "what has not changed costs nothing"
    async with held_back(club) as waiting:
        await forge(club, bea, rules, club.hand(bea))
    waiting[0]["locale"] = "it"
    await replay(club, waiting)
    player = club.table().players[club.seat(bea)]
    assert (player.name, player.display, player.locale) == ("Beatrice", "Beatrice", "it")


# Where a table may be, and what it speaks there.


@pytest.mark.parametrize("community", [False, True])
async def test_only_a_community_server_has_a_language_of_its_own(club: Club, community: bool) -> None:
    """Of all other servers Discord says en-US (https://docs.discord.com/developers/resources/guild#guild-object): a
    small German server would get English tables. There the table speaks its host's language."""
    guild = club.bot.get_guild(club.guild.id)
    assert guild is not None
    guild.features = ["COMMUNITY"] if community else []
    guild.preferred_locale = discord.Locale.italian
    await club.anna.slash(club.channel, "play", game=club.case.game)
    assert words("it" if community else "en")("Start") in text_of(club.table_message())


async def test_a_server_that_has_the_commands_but_not_the_bot_is_told_what_is_missing(club: Club) -> None:
    """Installed with the scope applications.commands alone: https://docs.discord.com/developers/topics/oauth2."""
    guild = club.bot._connection._guilds.pop(club.guild.id)
    answer = await club.anna.slash(club.channel, "play", game=club.case.game)
    club.bot._connection._guilds[club.guild.id] = guild
    assert EN(REFUSALS[Why.NO_BOT_HERE]) in private_text(answer)
    assert not club.running
