"""Modals: what Discord refuses in one, and in what somebody writes in it.

https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-response-object-modal

Only text inputs are here, in labels or (deprecated) in rows, and text displays.
"""

from typing import Any, Final

from local_discord.components import (
    ACTION_ROW,
    LABEL,
    MOST_ID,
    TEXT,
    TEXT_INPUT,
    Component,
    check_ids,
    number,
    placed,
    text,
    walk,
)
from local_discord.errors import ApiError, invalid_form
from local_discord.forms import Form

MOST_COMPONENTS: Final = 5
MOST_TEXT: Final = 4000
MOST_LABEL: Final = 45


def modal(form: Form) -> dict[str, Any]:
    """The modal in *form*: its known fields, its components with ids.

    Raises:
        ApiError: it breaks a limit (50035).
    """
    form.text("custom_id", 1, 100, required=True)
    form.text("title", 1, MOST_LABEL, required=True)
    found = [_component(it) for it in form.forms("components", 1, MOST_COMPONENTS)]
    check_ids(list(placed(found, form.at("components"))))
    return {**form.only("custom_id", "title"), "components": number(found)}


def _component(form: Form) -> Component:
    kind = form.choice("type", (ACTION_ROW, TEXT, LABEL), "UNION_TYPE_CHOICES")
    found: Component = {"type": kind, "id": form.whole("id", 0, MOST_ID) or 0}
    if kind == TEXT:
        return {**found, **text(form)}
    if kind == ACTION_ROW:
        (inner,) = form.forms("components", 1, 1)
        inner.text("label", 1, MOST_LABEL, required=True)
        return {**found, "components": [_input(inner)]}
    form.text("label", 1, MOST_LABEL, required=True)
    form.text("description", 1, 100)
    return {**found, **form.only("label", "description"), "component": _input(form.needed("component"))}


def _input(form: Form) -> Component:
    """A text input. https://discord.com/developers/docs/components/reference#text-input"""
    kind = form.choice("type", (TEXT_INPUT,), "UNION_TYPE_CHOICES")
    form.text("custom_id", 1, 100, required=True)
    form.choice("style", (1, 2))
    form.text("placeholder", 0, 100)
    form.text("value", 0, MOST_TEXT)
    most = form.whole("max_length", 1, MOST_TEXT) or MOST_TEXT
    if (form.whole("min_length", 0, MOST_TEXT) or 0) > most:
        raise form.refused("min_length", "NUMBER_TYPE_MAX", f"Value should be less than or equal to {most}.")
    found: Component = {"type": kind, "id": form.whole("id", 0, MOST_ID) or 0}
    found["required"] = form.boolean("required") is not False
    return found | form.only("custom_id", "style", "label", "placeholder", "value", "min_length", "max_length")


def submitted(shown: dict[str, Any], form: Form) -> dict[str, Any]:
    """The data of an interaction: the modal *shown* was submitted with what is in *form*.

    Raises:
        ApiError: an input is unknown, or what was written does not fit it (50035).
    """
    written: dict[str, Form] = {}
    for component in form.forms("components", most=MOST_COMPONENTS):
        labelled = component.form("component")
        for it in [labelled] if labelled else component.forms("components", most=1):
            written[it.text("custom_id", required=True) or ""] = it
    inputs = {it["custom_id"]: it for it in walk(shown["components"]) if it["type"] == TEXT_INPUT}
    if not written.keys() <= inputs.keys():
        raise _refused(form)
    values = {name: _value(it, written.get(name), form) for name, it in inputs.items()}
    components = [_answer(it, values) for it in shown["components"]]
    return {"custom_id": shown["custom_id"], "components": components}


def _value(wanted: Component, given: Form | None, form: Form) -> str:
    """What was written in the input *wanted*."""
    value = (given.text("value") if given else None) or ""
    fits = wanted.get("min_length", 0) <= len(value) <= wanted.get("max_length", MOST_TEXT)
    if (wanted["required"] and not value) or (value and not fits):
        raise _refused(form)
    return value


def _refused(form: Form) -> ApiError:
    return invalid_form(form.at("components"), "COMPONENT_VALIDATION_FAILED", "Component validation failed")


def _answer(shown: Component, values: dict[str, str]) -> Component:
    """A component of a modal as the bot is told of it."""
    known: Component = {key: shown[key] for key in ("type", "id", "custom_id") if key in shown}
    if shown["type"] == TEXT_INPUT:
        return {**known, "value": values[shown["custom_id"]]}
    if shown["type"] == ACTION_ROW:
        return {**known, "components": [_answer(it, values) for it in shown["components"]]}
    return {**known, "component": _answer(shown["component"], values)} if shown["type"] == LABEL else known
