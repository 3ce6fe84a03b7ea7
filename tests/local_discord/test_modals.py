"""Modals: what is refused when one is shown, and when somebody submits it.

https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-response-object-modal
"""

from typing import Any

import pytest

from tests import openapi
from tests.local_discord.client import Discord, Socket, at, row, text


def field(**more: Any) -> dict[str, Any]:
    """A text input."""
    return {"type": 4, "custom_id": "t", "style": 1, **more}


def label(**more: Any) -> dict[str, Any]:
    """A label with a text input."""
    return {"type": 18, "label": "l", "component": field(), **more}


def options(count: int, **more: Any) -> list[dict[str, Any]]:
    """So many options with the values 0, 1, …; each has *more* fields."""
    return [{"label": f"option {number}", "value": str(number), **more} for number in range(count)]


def menu(**more: Any) -> dict[str, Any]:
    """A string select with three options, in a label."""
    return label(component={"type": 3, "custom_id": "s", "options": options(3), **more})


def radios(**more: Any) -> dict[str, Any]:
    """A radio group with three options, in a label."""
    return label(component={"type": 21, "custom_id": "r", "options": options(3), **more})


def boxes(**more: Any) -> dict[str, Any]:
    """A checkbox group with three options, in a label."""
    return label(component={"type": 22, "custom_id": "g", "options": options(3), **more})


def box(**more: Any) -> dict[str, Any]:
    """A checkbox, in a label."""
    return label(component={"type": 23, "custom_id": "c", **more})


def modal(*components: Any, **more: Any) -> dict[str, Any]:
    """A modal with *components*."""
    return {"custom_id": "m", "title": "T", "components": list(components), **more}


async def shown(discord: Discord, bot: Socket, data: Any) -> tuple[int, Any]:
    """The status and the answer when the bot shows Anna the modal *data*."""
    return await discord.answer(await discord.pinged(bot, discord.anna), {"type": 9, "data": data})


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (modal(), "components"),
        (modal(*[label(component=field(custom_id=f"{n}")) for n in range(6)]), "components"),
        (modal(label(), components=5), "components"),
        (modal(label(), custom_id="x" * 101), "custom_id"),
        (modal(label(), custom_id=""), "custom_id"),
        (modal(label(), title="x" * 46), "title"),
        (modal(label(), title=None), "title"),
        (modal(label(label="x" * 46)), "components.0.label"),
        (modal({"type": 18, "component": field()}), "components.0.label"),
        (modal(label(description="x" * 101)), "components.0.description"),
        (
            modal(label(component={"type": 2, "custom_id": "s", "style": 1, "label": "x"})),
            "components.0.component.type",
        ),
        (modal(label(component={"type": 5, "custom_id": "s"})), "components.0.component.type"),
        (modal(label(component={"type": 19, "custom_id": "s"})), "components.0.component.type"),
        (modal(row(menu(label="L")["component"])), "components.0.components.0.type"),
        (modal(label(component=None)), "components.0.component"),
        (modal(field()), "components.0.type"),
        (modal(row(field(label="L"), field(label="L", custom_id="u"))), "components.0.components"),
        (modal(row(field())), "components.0.components.0.label"),
        (modal(row({"type": 2, "style": 1, "label": "x", "custom_id": "b"})), "components.0.components.0.type"),
        (modal(label(component=field(custom_id=None))), "components.0.component.custom_id"),
        (modal(label(component=field(style=3))), "components.0.component.style"),
        (modal(label(component={"type": 4, "custom_id": "t"})), "components.0.component.style"),
        (modal(label(component=field(min_length=-1))), "components.0.component.min_length"),
        (modal(label(component=field(max_length=4001))), "components.0.component.max_length"),
        (modal(label(component=field(min_length=5, max_length=4))), "components.0.component.min_length"),
        (modal(label(component=field(value="x" * 4001))), "components.0.component.value"),
        (modal(label(component=field(placeholder="x" * 101))), "components.0.component.placeholder"),
        (modal(label(component=field(required=1))), "components.0.component.required"),
        (modal(label(), label()), "components.1.component.custom_id"),
        (modal(text("x" * 4001), label()), "components.0.content"),
        (modal(1), "components.0"),
        ([], ""),
        (None, "custom_id"),
    ],
)
async def test_a_modal_is_checked(discord: Discord, data: Any, where: str) -> None:
    """Modal, and the reference of Label, Text Input, Text Display. Some components of modals are not here."""
    await refused(discord, data, where)


async def refused(discord: Discord, data: Any, where: str) -> None:
    """Check that the modal *data* is refused, with an error at *where* in it."""
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    status, error = await shown(discord, bot, data)
    assert (status, error.get("code")) == (400, 50035)
    assert at(error, ".".join(part for part in ("data", where) if part)), error


@pytest.mark.parametrize(
    ("made", "where", "code"),
    [
        (menu(disabled=True), "disabled", "MODAL_COMPONENT_DISABLED"),
        (menu(min_values=0), "min_values", "SELECT_COMPONENT_REQUIRED_ZERO_MIN_VALUES"),
        (menu(min_values=0, required=True), "min_values", "SELECT_COMPONENT_REQUIRED_ZERO_MIN_VALUES"),
        (boxes(min_values=0), "min_values", "SELECT_COMPONENT_REQUIRED_ZERO_MIN_VALUES"),
        (menu(options=options(2, value="v")), "options.1.value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"),
    ],
)
async def test_what_only_modals_refuse(discord: Discord, made: Any, where: str, code: str) -> None:
    """The notes under String Select Structure; codes as they were reported to Discord and to libraries."""
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    _, error = await shown(discord, bot, modal(made))
    assert at(error, f"data.components.0.component.{where}") == [code]


@pytest.mark.parametrize(
    "components",
    [
        (menu(options=options(25), min_values=25, max_values=25, placeholder="x" * 150, disabled=False),),
        (menu(options=options(1, value="x" * 100, label="x" * 100, description="x" * 100)),),
        (menu(options=options(3, default=True), max_values=3),),
        (menu(options=options(2, emoji={"name": "✅"})),),
        (menu(min_values=0, required=False),),
        (radios(options=options(2)), radios(custom_id="q", options=options(10))),
        (radios(options=[*options(2), {"label": "x", "value": "x", "default": True}]),),
        (boxes(options=options(1)), boxes(custom_id="h", options=options(10, default=True))),
        (boxes(min_values=0, required=False), boxes(custom_id="h", min_values=None, max_values=None)),
        (box(), box(custom_id="d", default=True), menu(), radios(), boxes()),
    ],
)
async def test_what_is_within_the_limits_is_shown(discord: Discord, components: Any) -> None:
    """And Discord's own description of its API allows it, where that is at hand."""
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    data = modal(*components)
    assert await shown(discord, bot, data) == (204, None)
    if openapi.available():
        assert not openapi.misshapen("ModalInteractionCallbackRequestData", data)


async def test_a_modal_is_submitted_as_it_was_shown(discord: Discord) -> None:
    """Modal Submit Data Structure: the components in their places, with their ids; whatever a client adds is gone."""
    await discord.ping_command()
    bot, anna = await discord.connect(discord.bot), await discord.connect(discord.anna)
    old = row(field(custom_id="old", label="L", required=False))
    opened = await discord.pinged(bot, discord.anna)
    made = modal(text("hello"), label(component=field(min_length=2)), old)
    assert (await discord.answer(opened, {"type": 9, "data": made}))[0] == 204
    event = await anna.event("INTERACTION_MODAL_CREATE")
    assert [component["type"] for component in event["components"]] == [10, 18, 1]
    given = [{"type": 18, "component": {"type": 4, "custom_id": "t", "value": "abc", "x": 1}, "x": 1}]
    submit = {"type": 5, "data": {"id": event["id"], "custom_id": "m", "components": given, "x": 1}}
    told = await discord.used(bot, discord.anna, submit)
    assert set(told["data"]) == {"custom_id", "components"}
    first, second, third = told["data"]["components"]
    assert (first["type"], second["type"], third["type"]) == (10, 18, 1)
    assert second["component"] == {"type": 4, "id": second["component"]["id"], "custom_id": "t", "value": "abc"}
    assert third["components"][0]["value"] == ""
    await discord.answer(told, {"type": 4, "data": {"content": "x"}})
    _, reply = await discord.call("GET", discord.webhook(told, "@original"))
    triggering = reply["interaction_metadata"]["triggering_interaction_metadata"]
    assert (triggering["id"], triggering["type"]) == (opened["id"], 2)


@pytest.mark.parametrize(
    "components",
    [
        [],
        [{"type": 18, "component": {"type": 4, "custom_id": "t", "value": ""}}],
        [{"type": 18, "component": {"type": 4, "custom_id": "t", "value": "a"}}],
        [{"type": 18, "component": {"type": 4, "custom_id": "t", "value": "abcde"}}],
        [{"type": 18, "component": {"type": 4, "custom_id": "t", "value": 5}}],
        [{"type": 18, "component": {"type": 4, "custom_id": "u", "value": "abc"}}],
        [{"type": 18, "component": [1]}],
        [1],
        {"a": 1},
        None,
    ],
)
async def test_what_is_submitted_is_checked(discord: Discord, components: Any) -> None:
    """The limits of a text input, which Discord's client keeps; the modal stays open."""
    await discord.ping_command()
    bot, anna = await discord.connect(discord.bot), await discord.connect(discord.anna)
    await shown(discord, bot, modal(label(component=field(min_length=2, max_length=4))))
    event = await anna.event("INTERACTION_MODAL_CREATE")
    body = {"type": 5, "data": {"id": event["id"], "custom_id": "m", "components": components}}
    assert await discord.begin(discord.anna, body) == 400
    right = [{"type": 18, "component": {"type": 4, "custom_id": "t", "value": "abc"}}]
    assert await discord.begin(discord.bruno, {"type": 5, "data": {**body["data"], "components": right}}) == 404
    assert await discord.begin(discord.anna, {"type": 5, "data": {**body["data"], "components": right}}) == 204
    assert await discord.begin(discord.anna, {"type": 5, "data": {**body["data"], "components": right}}) == 404


def answer(kind: int, custom_id: str, **more: Any) -> dict[str, Any]:
    """What a client sends of a control in a label."""
    return {"type": 18, "component": {"type": kind, "custom_id": custom_id, **more}}


async def told(discord: Discord, data: Any, components: list[Any]) -> list[Any] | None:
    """What the bot is told of the controls when Anna submits *components* in the modal *data*; ``None``: that is
    refused."""
    await discord.ping_command()
    bot, anna = await discord.connect(discord.bot), await discord.connect(discord.anna)
    assert await shown(discord, bot, data) == (204, None)
    event = await anna.event("INTERACTION_MODAL_CREATE")
    body = {"type": 5, "data": {"id": event["id"], "custom_id": "m", "components": components}}
    status = await discord.begin(discord.anna, body)
    if status == 400:
        return None
    assert status == 204
    found = (await bot.event("INTERACTION_CREATE"))["data"]["components"]
    return [it["component"] for it in found]


ALL = modal(menu(max_values=2), radios(), boxes(), box(), label(component=field()))
OPTIONAL = modal(
    menu(required=False), radios(required=False), boxes(required=False, min_values=2), box(default=True),
    label(component=field(required=False)),
)  # fmt: skip


async def test_the_bot_is_told_what_was_chosen(discord: Discord) -> None:
    """The Interaction Response Structures; choices in the order in which they were made."""
    given = [
        answer(4, "t", value="abc"), answer(23, "c", value=True), answer(22, "g", values=["2", "0"]),
        answer(21, "r", value="1", x=1), answer(3, "s", values=["1"]),
    ]  # fmt: skip
    assert await told(discord, ALL, given) == [
        {"type": 3, "id": 2, "custom_id": "s", "values": ["1"]},
        {"type": 21, "id": 4, "custom_id": "r", "value": "1"},
        {"type": 22, "id": 6, "custom_id": "g", "values": ["2", "0"]},
        {"type": 23, "id": 8, "custom_id": "c", "value": True},
        {"type": 4, "id": 10, "custom_id": "t", "value": "abc"},
    ]


@pytest.mark.parametrize(
    "given",
    [
        [],
        [
            answer(3, "s", values=[]),
            answer(21, "r", value=None),
            answer(22, "g", values=[]),
            answer(23, "c", value=False),
        ],
        [answer(3, "s"), answer(21, "r"), answer(22, "g"), answer(23, "c"), answer(4, "t")],
    ],
)
async def test_without_an_answer_a_control_is_empty(discord: Discord, given: Any) -> None:
    """Every control is in what the bot is told, and none falls back to its default."""
    found = await told(discord, OPTIONAL, given)
    assert found is not None
    assert [it.get("value", it.get("values")) for it in found] == [[], None, [], False, ""]


@pytest.mark.parametrize(
    ("made", "given"),
    [
        (menu(), [answer(3, "s", values=["3"])]),
        (radios(), []),
        (boxes(), [answer(22, "g", values=["0", "0"])]),
        (box(), [answer(23, "c", value="true")]),
    ],
)
async def test_what_is_chosen_must_fit(discord: Discord, made: Any, given: Any) -> None:
    assert await told(discord, modal(made), given) is None
