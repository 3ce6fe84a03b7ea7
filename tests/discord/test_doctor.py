"""/doctor: a person finds out why a channel does not work, also where the bot cannot write."""

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend.models import Overwrite
from simcord.builders import ChannelHandle
from simcord.enums import ChannelType, OverwriteType

from bot.i18n import LOCALES, words
from bot.permissions import INVITE_PERMISSIONS, NEEDS, invitation_link
from bot.tables.errors import Why
from bot.tables.preferences import MOST_PLACES, GuildSettings
from bot.ui import replies
from bot.ui.doctor import DoctorFacts, Severity, doctor_sheet, run_doctor_checks
from tests.discord.messages import reply, text_of
from tests.discord.play import Club
from tests.discord.test_moderation import moderator
from tests.discord.test_server_settings import choose, numbers
from tests.discord.world import EN
from tests.games import ANY

pytestmark = pytest.mark.about(ANY)  # all games are alike here

ALL = frozenset(NEEDS)
MANY = tuple(range(1 << 60, (1 << 60) + MOST_PLACES))
WORST = [
    DoctorFacts(frozenset(), member=False, link=invitation_link(1 << 60), store_ms=None, registered=False),
    DoctorFacts(
        frozenset(),
        in_private_thread=False,
        thread=True,
        settings=GuildSettings(channels=MANY, roles=MANY, threads=True, counted=False, tables=3),
        allowed_place=False,
        allowed_role=False,
        store_ms=99_999,
        clock_ms=-99_999,
        emojis=(10, 99),
        registered=False,
        connected=False,
        shard=(99, 1000),
        live=50,
        most=50,
        aside=MANY,
        closed_dms=MANY[:8],
        dms_paused_until=1 << 41,
        flagged=True,
    ),
    DoctorFacts(
        frozenset(), threads_possible=False, settings=GuildSettings(threads=True, channels=MANY), allowed_place=False
    ),
]


async def doctor(club: Club, person: MemberActor, channel: ChannelHandle | None = None) -> str:
    """What *person* reads who types /doctor."""
    message = reply(await person.slash(channel or club.channel, "doctor"))
    assert message.flags.ephemeral
    return text_of(message)


def owner(club: Club) -> MemberActor:
    """Somebody who may do everything."""
    role = club.guild.create_role("Owners", permissions=discord.Permissions(manage_guild=True, manage_messages=True))
    return club.guild.add_member(club.env.create_user("olga"), roles=[role])


def closed(club: Club, *lacks: str) -> ChannelHandle:
    """A channel in which nobody may do any of *lacks*."""
    denied = discord.PermissionOverwrite(**dict.fromkeys(lacks, False))
    return club.guild.create_text_channel("closed", overwrites={club.guild.default_role: denied})


async def test_where_all_is_well_it_says_so(club: Club) -> None:
    said = await doctor(club, moderator(club))
    assert EN("All is well: games can be played here.") in said
    assert Severity.BAD.value not in said
    assert Severity.POOR.value not in said
    await club.open(club.anna, club.bruno)
    assert EN("A table is live in this channel. There can only be one at a time.") in await doctor(
        club, moderator(club, "mia")
    )


@pytest.mark.parametrize("lacks", sorted(NEEDS))
async def test_a_missing_permission_is_named_with_what_follows_and_where_it_is_switched_on(
    club: Club, lacks: str
) -> None:
    boss = owner(club)
    await choose(club, boss, threads="yes")
    here = frozenset(ALL - {lacks})
    found = run_doctor_checks(DoctorFacts(here, settings=GuildSettings(threads=True), voice=True), EN)
    (wrong,) = [it for it in found if it.mark is not Severity.GOOD]
    assert NEEDS[lacks].name in wrong.remedy
    assert (wrong.mark is Severity.BAD) == (lacks in ("view_channel", "send_messages", "connect"))
    if lacks not in ("view_channel", "connect"):  # there nobody can use a command either
        said = await doctor(club, boss, closed(club, lacks))
        assert EN(NEEDS[lacks].without) in said
        assert (
            EN(
                "Edit Channel → Permissions: add me there, if I am missing, and allow **{name}**.",
                name=NEEDS[lacks].name,
            )
            in said
        )


@pytest.mark.parametrize("kind", [ChannelType.VOICE, ChannelType.STAGE_VOICE])
async def test_in_a_voice_channel_without_connect_no_table_is_opened(club: Club, kind: ChannelType) -> None:
    """Discord answers everything with 50001 there: https://github.com/discord/discord-api-docs/pull/5111"""
    boss = owner(club)
    denied = Overwrite(club.guild.id, OverwriteType.ROLE, deny=discord.Permissions(connect=True).value)
    made = club.env.backend.create_channel(club.guild.id, "talk", type=kind, overwrites=[denied])
    place = ChannelHandle(club.env, club.guild, made)
    said = await doctor(club, boss, place)
    assert EN("**No new game can be played here as it is.**") in said
    assert EN(NEEDS["connect"].without) in said
    answer = await club.anna.slash(place, "play", game=club.case.game)
    assert "**Connect**" in text_of(reply(answer))
    assert not club.bot.tables.live_tables_in_memory(channel=place.id)


async def refusal_elsewhere(club: Club, place: ChannelHandle) -> str:
    """What somebody reads who may not open a table in *place*."""
    return text_of(reply(await club.bruno.slash(place, "play", game=club.case.game)))


async def test_channels_that_are_deleted_are_said_and_do_not_count(club: Club) -> None:
    boss, gone, other = owner(club), club.guild.create_text_channel("games"), club.guild.create_text_channel("other")
    await choose(club, boss, channels=[gone, club.channel])
    club.env.backend.delete_channel(gone.id)
    await club.env.settle()
    said = await doctor(club, boss)
    assert EN("Some of the channels or roles that were chosen for tables are deleted. They do not count.") in said
    assert f"<#{gone.id}>" not in said
    answer = await refusal_elsewhere(club, other)
    assert f"<#{club.channel.id}>" in answer
    assert f"<#{gone.id}>" not in answer
    settings = reply(await boss.slash(club.channel, "settings"))
    assert str(gone.id) not in str([it.to_dict() for it in settings.components])


async def test_where_all_chosen_channels_or_roles_are_deleted_the_refusal_says_who_can_choose_others(
    club: Club,
) -> None:
    boss, gone, role = owner(club), club.guild.create_text_channel("games"), club.guild.create_role("Players")
    await choose(club, boss, channels=[gone])
    club.env.backend.delete_channel(gone.id)
    await club.env.settle()
    assert replies.refusal_text(Why.CHANNELS_DELETED, {}, None, EN) == await refusal_elsewhere(club, club.channel)
    assert Severity.BAD.value in await doctor(club, boss)
    await choose(club, boss, channels=[], roles=[role])
    club.env.backend.delete_role(club.guild.id, role.id)
    await club.env.settle()
    assert replies.refusal_text(Why.ROLES_DELETED, {}, None, EN) == await refusal_elsewhere(club, club.channel)
    assert Severity.BAD.value in await doctor(club, boss)


async def test_settings_that_prevent_a_table_are_named(club: Club) -> None:
    boss, other, role = owner(club), club.guild.create_text_channel("games"), club.guild.create_role("Players")
    await choose(club, boss, channels=[other], roles=[role], statistics="none")
    said = await doctor(club, boss)
    assert EN("Tables may not be opened in this channel, only in {channels}.", channels=f"<#{other.id}>") in said
    assert f"<@&{role.id}>" in said
    assert EN("Switch them on with /settings.") in said
    await choose(club, boss, channels=[], roles=[], statistics="counted")
    await numbers(club, boss, "1", "0")
    await club.open(club.anna, start=False)
    assert EN("This server has as many live tables as it may ({n}).", n=1) in await doctor(club, boss, other)


async def test_closed_direct_messages_and_damaged_tables_are_named(club: Club) -> None:
    mod = moderator(club)
    club.close_dms(club.bruno)
    await club.open(club.anna, club.bruno)
    said = await doctor(club, mod)
    assert f"<@{club.bruno.id}>" in said
    assert f"<@{club.anna.id}>" not in said


# What it can say


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("facts", WORST)
def test_the_worst_fits_in_every_language(facts: DoctorFacts, locale: str) -> None:
    sheet = doctor_sheet(facts, words(locale))
    assert not sheet.cut


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (DoctorFacts(ALL, store_ms=None), "My database does not answer, so nothing can be played now."),
        (DoctorFacts(ALL, connected=False), "I have just lost the connection to Discord ({shard})."),
        (DoctorFacts(ALL, registered=False), "Discord has not taken my newest commands yet."),
        (DoctorFacts(ALL, in_private_thread=False), "I am not in this private thread."),
        (DoctorFacts(ALL, member=False), "The server has my commands, but I am not a member."),
    ],
)
def test_each_fault_has_its_sentence(facts: DoctorFacts, said: str) -> None:
    assert EN(said, shard=EN("shard {n} of {count}", n=1, count=1)) in [it.said for it in run_doctor_checks(facts, EN)]


def test_the_invitation_asks_for_what_is_used_and_nothing_else() -> None:
    link = invitation_link(1234)
    assert link == (
        "https://discord.com/oauth2/authorize?client_id=1234&scope=bot+applications.commands"
        f"&permissions={INVITE_PERMISSIONS}"
    )
    assert discord.Permissions(INVITE_PERMISSIONS) == discord.Permissions(**dict.fromkeys(ALL - {"connect"}, True))
    assert sum(1 << bit for bit in (10, 11, 15, 16, 35, 38)) == INVITE_PERMISSIONS, "docs/topics/permissions"
