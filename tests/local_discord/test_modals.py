"""Modals: what is refused when one is shown, and when somebody submits it.

https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-response-object-modal
"""

from typing import Any

import pytest

from tests.local_discord.client import Discord, Socket, at, row, text


def field(**more: Any) -> dict[str, Any]:
    """A text input."""
    return {"type": 4, "custom_id": "t", "style": 1, **more}


def label(**more: Any) -> dict[str, Any]:
    """A label with a text input."""
    return {"type": 18, "label": "l", "component": field(), **more}


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
        (modal(label(component={"type": 3, "custom_id": "s", "options": []})), "components.0.component.type"),
        (modal(label(component={"type": 19, "custom_id": "s"})), "components.0.component.type"),
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
    """Modal, and the reference of Label, Text Input, Text Display. Other components of modals are not here."""
    await discord.ping_command()
    bot = await discord.connect(discord.bot)
    status, refused = await shown(discord, bot, data)
    assert (status, refused.get("code")) == (400, 50035)
    assert at(refused, ".".join(part for part in ("data", where) if part)), refused


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
