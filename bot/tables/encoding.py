"""Tables as JSON, as the store keeps them."""

from bot.tables.model import Table
from engine import codec
from engine.game import Json

_encode = codec.encoder(Table)
_decode = codec.decoder(Table)


def encode(table: Table) -> Json:
    """*table* as JSON. Only for the store: it holds hidden cards and the seed."""
    rules = table.rules
    data: Json = _encode(
        table._replace(
            state=None if table.state is None else rules.encode_state(table.state),
            highlights=None if table.highlights is None else rules.encode_highlights(table.highlights),
            memories=tuple(None if it is None else rules.encode_memory(it) for it in table.memories),
            recent=tuple(rules.encode_event(event) for event in table.recent),
            outcome=tuple(rules.encode_event(event) for event in table.outcome),
        )
    )
    return data


def decode(data: Json) -> Table:
    """The table that ``encode`` wrote as *data*."""
    table: Table = _decode(data)
    rules = table.rules
    return table._replace(
        state=None if table.state is None else rules.decode_state(table.state),
        highlights=None if table.highlights is None else rules.decode_highlights(table.highlights),
        memories=tuple(None if it is None else rules.decode_memory(it) for it in table.memories),
        recent=tuple(rules.decode_event(event) for event in table.recent),
        outcome=tuple(rules.decode_event(event) for event in table.outcome),
    )
