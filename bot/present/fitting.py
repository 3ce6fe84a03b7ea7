"""The size of a message's components, and making them simpler: shorter, without emojis, without pictures. Pure."""

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from discord import ComponentType

from bot.pictures import symbols

Component = dict[str, Any]
"""One component as the JSON that Discord takes."""

_EMOJI = re.compile(r"<a?:(\w+):(\d+)>")
_EMOJI_ID = re.compile(r'<a?:\w+:\d+>|"emoji": {[^}]*"id"')


def has_emojis(items: Sequence[Component]) -> bool:
    """Whether emojis of the application are in *items*."""
    return _EMOJI_ID.search(json.dumps(items)) is not None


def without_files(items: Sequence[Component], instead: Mapping[str, str]) -> list[Component]:
    """*items* without picture galleries and files, also inside containers; in the place of each stands the text that
    *instead* has for its url, if any."""
    found: list[Component] = []
    for item in items:
        if item["type"] in (ComponentType.media_gallery.value, ComponentType.file.value):
            media = [shown["media"] for shown in item["items"]] if "items" in item else [item["file"]]
            said = [instead.get(shown["url"], "") for shown in media]
            found += [{"type": ComponentType.text_display.value, "content": text} for text in said if text]
        elif "components" in item:
            found.append({**item, "components": without_files(item["components"], instead)})
        else:
            found.append(item)
    return found


def _text_symbol(markup: re.Match[str]) -> str:
    """The text that stands in for the emoji *markup*; its name, if it is none of ours."""
    symbol = symbols.symbol_of(int(markup[2]))
    return f":{markup[1]}:" if symbol is None else symbol.text


def with_text_symbols(item: Any) -> Any:
    """*item*, a part of a payload, with text symbols instead of the application's emojis."""
    match item:
        case list():
            return [with_text_symbols(part) for part in item]
        case dict():
            changed = {key: with_text_symbols(part) for key, part in item.items() if key != "emoji"}
            if "emoji" in item:
                symbol = symbols.symbol_of(int(item["emoji"].get("id", 0)))
                if symbol is not None:
                    changed["emoji"] = symbol.plain_component
                elif "id" not in item["emoji"]:
                    changed["emoji"] = item["emoji"]
            return changed
        case str():
            return _EMOJI.sub(_text_symbol, item)
        case _:
            return item


def size(items: Sequence[Component]) -> tuple[int, int]:
    """How many components *items* are with what they hold, and how many characters of text that is."""
    count, length = len(items), 0
    for item in items:
        length += len(item.get("content", ""))
        if inner := item.get("components"):
            more, longer = size(inner)
            count, length = count + more, length + longer
    return count, length


def shortened(items: Sequence[Component], excess: int) -> tuple[list[Component], bool]:
    """*items* with at least *excess* characters of text less, and whether more than small print is missing."""
    shorter = copy.deepcopy(list(items))
    texts = [item for item in _all(shorter) if "content" in item]
    for item in texts:
        lines = item["content"].split("\n")
        for line in [line for line in lines if line.startswith("-#")]:
            if excess > 0 and len(lines) > 1:
                lines.remove(line)
                excess -= len(line) + 1
        item["content"] = "\n".join(lines)
    cut = excess > 0
    while excess > 0:
        longest = max(texts, key=lambda item: len(item["content"]))
        kept = max(len(longest["content"]) - excess - 1, len(longest["content"]) // 2)
        excess -= len(longest["content"]) - kept - 1
        # Cut after a whole word, so that no emoji and no mention is cut in two.
        longest["content"] = (longest["content"][:kept].rpartition(" ")[0] or longest["content"][:kept]) + "…"
    return shorter, cut


def _all(items: Sequence[Component]) -> Iterator[Component]:
    """*items* and everything they hold."""
    for item in items:
        yield item
        yield from _all(item.get("components", ()))
