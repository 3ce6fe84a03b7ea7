"""Whole games on SimCord, from /play to the rematch."""

from tests.discord.play import Club, text_of


async def test_three_people_play_a_whole_game_by_direct_message(club: Club) -> None:
    await club.open(club.anna, club.bruno, club.carla)
    moves = 0
    while club.bot.tables.live_in(club.channel.id) is not None:
        player = club.on_turn()
        table = club.table()
        if table.state.between_turns and sum(laid.card.number for laid in table.state.queue) >= 17:
            await club.call(player)
        else:
            await club.lay(player)
        moves += 1
        assert moves < 500
    final = club.messages()[-1]
    assert "wins!" in text_of(final)
    assert "Seed of the game" in text_of(final)
