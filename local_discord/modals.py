"""Modals: what Discord refuses in one, and in what somebody answers in it.

https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-response-object-modal

Here are text displays, and in labels: text inputs (in deprecated rows as well), string selects, radio groups, checkbox
groups and checkboxes. Selects that Discord fills (5 to 8) and uploads of files (19) are not here and are refused.
"""

from collections.abc import Callable, Collection
from typing import Any, Final

from local_discord.components import (
    ACTION_ROW,
    CHECKBOX,
    CHECKBOX_GROUP,
    LABEL,
    MOST_ID,
    RADIO_GROUP,
    STRING_SELECT,
    TEXT,
    TEXT_INPUT,
    Component,
    Emojis,
    assign_ids,
    check_ids_unique,
    components_with_paths,
    parse_choice_limits,
    parse_options,
    parse_string_select,
    parse_text_display,
    walk,
)
from local_discord.errors import ApiError, invalid_form
from local_discord.forms import Form, unique

MOST_COMPONENTS: Final = 5
MOST_TEXT: Final = 4000
MOST_LABEL: Final = 45
LEAST_RADIOS: Final = 2
MOST_IN_GROUP: Final = 10


def parse_modal(form: Form, emojis: Emojis = None) -> dict[str, Any]:
    """Return the modal in *form*, checked, with ids for its components; or raise ApiError (50035) if it breaks a limit.

    *emojis* are those that options may show.
    """
    form.text("custom_id", 1, 100, required=True)
    form.text("title", 1, MOST_LABEL, required=True)
    found = [_parse_modal_component(it, emojis) for it in form.forms("components", 1, MOST_COMPONENTS)]
    check_ids_unique(list(components_with_paths(found, form.path_of("components"))))
    return {**form.only("custom_id", "title"), "components": assign_ids(found)}


def _parse_modal_component(form: Form, emojis: Emojis) -> Component:
    """Return one top-level component of a modal (text, row or label), checked; or raise ApiError."""
    kind = form.choice("type", (ACTION_ROW, TEXT, LABEL), "UNION_TYPE_CHOICES")
    found: Component = {"type": kind, "id": form.whole("id", 0, MOST_ID) or 0}
    if kind == TEXT:
        return {**found, **parse_text_display(form)}
    if kind == ACTION_ROW:
        (inner,) = form.forms("components", 1, 1)
        inner.text("label", 1, MOST_LABEL, required=True)
        return {**found, "components": [_parse_modal_control(inner, (TEXT_INPUT,), emojis)]}
    form.text("label", 1, MOST_LABEL, required=True)
    form.text("description", 1, 100)
    control = _parse_modal_control(form.needed("component"), _CONTROLS, emojis)
    return {**found, **form.only("label", "description"), "component": control}


def _parse_modal_control(form: Form, allowed: Collection[int], emojis: Emojis) -> Component:
    """Return a control that a person fills in, of one of the types *allowed*, checked; or raise ApiError (50035)."""
    kind = form.choice("type", allowed, "UNION_TYPE_CHOICES")
    form.text("custom_id", 1, 100, required=True)
    found: Component = {"type": kind, "id": form.whole("id", 0, MOST_ID) or 0}
    if kind != CHECKBOX:
        found["required"] = form.boolean("required") is not False
    return found | form.only("custom_id") | _CONTROLS[kind](form, emojis)


def _parse_text_input(form: Form, emojis: Emojis) -> Component:
    """Return the fields of a text input, checked; or raise ApiError."""
    form.choice("style", (1, 2))
    form.text("placeholder", 0, 100)
    form.text("value", 0, MOST_TEXT)
    most = form.whole("max_length", 1, MOST_TEXT) or MOST_TEXT
    if (form.whole("min_length", 0, MOST_TEXT) or 0) > most:
        raise form.error_for("min_length", "NUMBER_TYPE_MAX", f"Value should be less than or equal to {most}.")
    return form.only("style", "label", "placeholder", "value", "min_length", "max_length")


def _parse_modal_select(form: Form, emojis: Emojis) -> Component:
    """Return the fields of a string select in a modal, checked; it must not be disabled. Or raise ApiError."""
    found = parse_string_select(form, emojis)
    if found.get("disabled"):
        raise form.error_for("disabled", "MODAL_COMPONENT_DISABLED", "Modals do not support disabled components")
    _check_required_min_values(form)
    return found


def _check_required_min_values(form: Form) -> None:
    """Raise ApiError (50035) if the control in *form* is required and accepts zero choices."""
    if form.value("required") is not False and form.value("min_values") == 0:
        raise form.error_for(
            "min_values",
            "SELECT_COMPONENT_REQUIRED_ZERO_MIN_VALUES",
            "Select menus marked as required cannot have a min_values of 0",
        )


def _parse_radio_group(form: Form, emojis: Emojis) -> Component:
    """Return the fields of a radio group (2 to 10 options), checked; or raise ApiError.

    https://discord.com/developers/docs/components/reference#radio-group
    """
    return {"options": parse_options(form, LEAST_RADIOS, MOST_IN_GROUP, 1)}


def _parse_checkbox_group(form: Form, emojis: Emojis) -> Component:
    """Return the fields of a checkbox group, checked; without limits all options may be chosen. Or raise ApiError."""
    least, most = parse_choice_limits(form, MOST_IN_GROUP, len(form.forms("options", 1, MOST_IN_GROUP)))
    _check_required_min_values(form)
    return {"min_values": least, "max_values": most, "options": parse_options(form, most, MOST_IN_GROUP, most)}


def _parse_checkbox(form: Form, emojis: Emojis) -> Component:
    """Return the fields of a checkbox, checked; or raise ApiError.

    https://discord.com/developers/docs/components/reference#checkbox
    """
    return {"default": bool(form.boolean("default"))}


_CONTROLS: Final[dict[int, Callable[[Form, Emojis], Component]]] = {
    TEXT_INPUT: _parse_text_input,
    STRING_SELECT: _parse_modal_select,
    RADIO_GROUP: _parse_radio_group,
    CHECKBOX_GROUP: _parse_checkbox_group,
    CHECKBOX: _parse_checkbox,
}


def submission_data(shown: dict[str, Any], form: Form) -> dict[str, Any]:
    """Return the interaction data of the submitted modal *shown*, filled in as *form* says; ApiError (50035) if an
    answer does not fit."""
    given: dict[str, Form] = {}
    for component in form.forms("components", most=MOST_COMPONENTS):
        labelled = component.form("component")
        for it in [labelled] if labelled else component.forms("components", most=1):
            given[it.text("custom_id", required=True) or ""] = it
    controls = {it["custom_id"]: it for it in walk(shown["components"]) if "custom_id" in it}
    if not given.keys() <= controls.keys():
        raise _invalid_answers_error(form)
    for name, it in given.items():
        it.choice("type", (controls[name]["type"],))
    nothing = Form({}, form.path_of("components"))
    answers = {name: _parse_modal_answer(it, given.get(name, nothing), form) for name, it in controls.items()}
    components = [_component_data(it, answers) for it in shown["components"]]
    return {"custom_id": shown["custom_id"], "components": components}


def _parse_modal_answer(control: Component, given: Form, form: Form) -> Component:
    """Return what a person entered in *control*, from *given*, as ``value`` or ``values``; or raise ApiError (50035) if
    it does not fit."""
    kind = control["type"]
    if kind == CHECKBOX:
        return {"value": bool(given.boolean("value"))}
    if kind == TEXT_INPUT:
        written = given.text("value") or ""
        if not _answer_length_fits(
            control, len(written), control.get("min_length", 0), control.get("max_length", MOST_TEXT)
        ):
            raise _invalid_answers_error(form)
        return {"value": written}
    one = given.text("value") if kind == RADIO_GROUP else None
    several = given.list_field("values") if kind != RADIO_GROUP else None
    chosen = [one] if one is not None else several or []
    allowed = [option["value"] for option in control["options"]]
    fits = _answer_length_fits(control, len(chosen), control.get("min_values", 1), control.get("max_values", 1))
    if not fits or not all(value in allowed for value in chosen) or not unique(chosen):
        raise _invalid_answers_error(form)
    return {"value": one} if kind == RADIO_GROUP else {"values": chosen}


def _answer_length_fits(control: Component, count: int, least: int, most: int) -> bool:
    """Whether *control* may have an answer of *count* characters or choices: *least* to *most*, or none at all if it
    is not required."""
    return least <= count <= most if count else not control["required"]


def _invalid_answers_error(form: Form) -> ApiError:
    """Build the error (50035) for invalid answers in a modal, for the caller to raise."""
    return invalid_form(form.path_of("components"), "COMPONENT_VALIDATION_FAILED", "Component validation failed")


def _component_data(shown: Component, answers: dict[str, Component]) -> Component:
    """Return the component *shown* of a modal as the bot gets it, with the person's *answers* (by custom_id)."""
    known: Component = {key: shown[key] for key in ("type", "id", "custom_id") if key in shown}
    if shown["type"] == ACTION_ROW:
        return {**known, "components": [_component_data(it, answers) for it in shown["components"]]}
    if shown["type"] == LABEL:
        return {**known, "component": _component_data(shown["component"], answers)}
    return known | answers.get(shown.get("custom_id", ""), {})
