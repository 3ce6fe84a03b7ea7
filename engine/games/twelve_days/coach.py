"""The coach of 12 Days: the chances to win and the value of each choice, for learners and for reviews of a game.

Both are calibrated on games of the strongest computer player: about 30 % of the situations with a chance of 30 % are
won. Certain results are computed separately (``certain``, ``forced``, ``foresight``) and have the value of their end.
"""

from collections.abc import Sequence
from typing import Final

from engine.game import RatedAction, Seat, Step
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.cards import without_cards
from engine.games.twelve_days.certain import (
    apply_certain_actions,
    certain_hand_winner,
    is_outcome_certain,
    only_sensible_action,
)
from engine.games.twelve_days.events import Event, HandDealt, Played, TakenBack, TrickWon
from engine.games.twelve_days.forced import forced_hand_winner
from engine.games.twelve_days.foresight import Foresight, settles_game, win_chance_after_hand_end
from engine.games.twelve_days.memory import Memory, remember
from engine.games.twelve_days.state import State, lowest_play
from engine.games.twelve_days.view import View
from engine.games.twelve_days.view import view as view_of

LOST: Final = {
    2: (0.206, 0.191, 0.146, 0.121, 0.075, 0.031),
    4: (0.199, 0.189, 0.115, 0.093, 0.054, 0.015),
    6: (0.236, 0.227, 0.160, 0.124, 0.067, 0.027),
}
"""As ``engine.game.Coach.LOST``, by ``python -m engine.train.grades twelve_days`` (60 games each; of four players 40,
of six 20). Of four and six, levels 1 and 2 lose the same, 0.194 and 0.232."""

MIN_UNCERTAINTY: Final = 0.001
"""A chance that is not certain is kept this far from 0 and 1. The hands to go are only sampled, and what the network
never saw can happen."""


SHOWN_CARDS_COST: Final = 1e-6
"""The cost of playing last cards that go back immediately: the others have seen them for nothing. Of two choices with
the same chance, a pass is better."""


ERROR_CHANCE: Final = 1e-4
"""The chance that a player who could win, or stop another from it, makes a mistake. A result that depends on a choice
is never certain."""


def chances(state: State) -> tuple[float, ...]:
    """Every seat's chance to win the game from *state*, with all cards open; they add up to 1.

    Joint wins are shared. They are exact when the game is over, or nobody has a choice until it is. A player who cannot
    win by the gifts has no chance.

    Actions that are certain to come count as done (``certain``). So these are the chances at the next real choice, or
    before the next deal if the hand is over by then. Where one player wins the hand whatever the others do, only the
    holders of the most cards are open (T9). The rest of the last hand of a game is searched completely, if it is short
    enough (``endgame``).
    """
    found = _chances_without_errors(state)
    return (
        found if is_outcome_certain(state) else _keep_chances_off_0_and_1(found, view_of(state, None).possible_winners)
    )


def _keep_chances_off_0_and_1(found: tuple[float, ...], able: Sequence[Seat]) -> tuple[float, ...]:
    """Return the chances *found*, kept ``ERROR_CHANCE`` away from 0 and 1, except for seats that are not *able* to win
    any more: they have 0.

    Empty *able*: all are.
    """
    if not able:
        able = tuple(map(Seat, range(len(found))))
    if len(able) == 1:
        return tuple([float(seat in able) for seat in range(len(found))])
    if all(ERROR_CHANCE <= found[seat] <= 1 - ERROR_CHANCE for seat in able):
        return found
    share = (1 - ERROR_CHANCE * len(able)) / (sum(found[seat] for seat in able) or 1.0)
    return tuple([ERROR_CHANCE + share * it if seat in able else 0.0 for seat, it in enumerate(found)])


def _chances_without_errors(state: State) -> tuple[float, ...]:
    """Every seat's chance to win the game from *state*, if nobody who could surely win makes a mistake: by search,
    certainty, or the network."""
    hand_number = state.hand_number
    if not state.winners:
        from engine.games.twelve_days.endgame import endgame_chances

        if (found := endgame_chances(state)) is not None:
            return found
        state = apply_certain_actions(state)
    if state.winners:
        return tuple([1 / len(state.winners) if seat in state.winners else 0.0 for seat in range(len(state.hands))])
    if state.hand_number > hand_number:
        return _chances_before_hand(state)
    winner, won = certain_hand_winner(state), None
    if winner is not None:
        from engine.games.twelve_days.closing import chances_with_certain_winner

        won = chances_with_certain_winner(state, winner)
        if not state.hands[winner]:  # its last cards are in the trick
            return won
    elif (winner := forced_hand_winner(state)) is not None:
        two = len(state.hands) == 2
        won = _chances_after_hand(state, winner, (Seat(1 - winner),)) if two else _network_chances(state, winner)
    plain = _network_chances(state, None)
    # A player does not win a hand that leaves them worse off, such as one that loses the game by the gifts.
    return won if won is not None and winner is not None and won[winner] >= plain[winner] else plain


def _network_chances(state: State, winner: Seat | None) -> tuple[float, ...]:
    """Every seat's chance to win the game from *state*, by the network that sees all cards; *winner* is sure to win the
    hand (``None``: nobody is)."""
    import numpy as np  # records are checked without it

    from engine.games.twelve_days.cards import rank_counts
    from engine.games.twelve_days.choices import KINDS
    from engine.games.twelve_days.knowledge import load_knowledge, seat_group_of
    from engine.games.twelve_days.prospects import chances_from_outcomes
    from engine.games.twelve_days.watching import OpenSituations, hand_outcome_chances_by_seat

    lead, lowest = state.lead, lowest_play(state.trick)
    room = seat_group_of(len(state.hands))
    passed = {action.seat for action in state.trick if isinstance(action, Pass)}
    now = OpenSituations(
        held=np.array([[rank_counts(hand) for hand in state.hands]], np.int8),
        turn=np.array([state.turn]),
        kind=np.array([0 if lead is None else KINDS.index(lead.kind)], np.int8),
        low=np.array([0 if lead is None else lead.low], np.int8),
        lowest=np.array([0 if lowest is None else lowest.cards[0]], np.int8),
        best=np.array([0 if lowest is None else lowest.seat]),
        acted=np.array([len(state.trick)], np.int8),
        passes=np.array([[seat in passed for seat in range(len(state.hands))]], np.bool_),
    )
    outcomes = hand_outcome_chances_by_seat(now, load_knowledge().watchers[room], room.most, room.fewest)[0]
    if winner is not None:
        outcomes[:, 0] = np.arange(len(state.hands)) == winner
    return chances_from_outcomes(outcomes, state.gifts, state.hands_total - state.hand_number)


def chances_before_deal(step: Step[State, Event]) -> tuple[float, ...] | None:
    """Every seat's chance to win after *step*, before anybody knew the cards of the hand that it dealt; ``None`` if it
    dealt no cards."""
    return _chances_before_hand(step.state) if any(isinstance(event, HandDealt) for event in step.events) else None


def is_foregone(state: State, action: Action) -> bool:
    """Whether the action made in *state* was no decision: the player on turn had only one, or all others had the same
    result."""
    return only_sensible_action(state) is not None


def _chances_before_hand(state: State) -> tuple[float, ...]:
    """Every seat's chance to win the game before a hand is dealt: by the gifts, the leader and the hands to go. *state*
    is that after the deal. It is certain if only one player can still win by the gifts."""
    from engine.games.twelve_days.prospects import win_chances_from_gifts

    found = win_chances_from_gifts(state.gifts, state.leader, state.hands_total - state.hand_number + 1)
    return _keep_chances_off_0_and_1(found, view_of(state, None).possible_winners)


def _chances_after_hand(state: State, winner: Seat, givers: tuple[Seat, ...]) -> tuple[float, ...]:
    """Every seat's chance to win the game if *winner* wins the current hand and *givers* hold the most cards."""
    from engine.games.twelve_days.prospects import chances_after_hand

    return chances_after_hand(state.gifts, winner, givers, state.hands_total - state.hand_number)


def rated_actions(view: View, seat: Seat, memory: Memory | None) -> tuple[RatedAction[Action], ...]:
    """Every legal action of *seat*, each with its chance to win the game after it, best first; empty off turn and after
    the end.

    The chance is what the seat can know. Nobody can call in this game.

    *memory* is as in ``computer.decide``.
    """
    if view.turn != seat or view.winners:
        return ()
    import numpy as np

    from engine.games.twelve_days.choices import COMBINATIONS
    from engine.games.twelve_days.judgement import judge_choices, single_giver_prospect
    from engine.games.twelve_days.prospects import hand_prospect
    from engine.games.twelve_days.styles import Style

    numbers, outcomes, _ = judge_choices(view, seat, memory, single_giver_prospect(view, seat).stake, Style())
    ends = hand_prospect(view.gifts, view.hands_total - view.hand_number, seat)
    actions: list[Action] = [Play(seat, COMBINATIONS[number]) if number else Pass(seat) for number in numbers.tolist()]
    foresight = Foresight(view, seat, memory)
    fates = {at: fate for at, action in enumerate(actions) if (fate := foresight.certain_hand_end(action)) is not None}
    gives = outcomes[:, 1] / np.maximum(1e-6, outcomes[:, 1] + outcomes[:, 2])  # if it does not win
    certain = {at: win_chance_after_hand_end(view, seat, fate, float(gives[at])) for at, fate in fates.items()}
    won = [certain[at] for at, fate in fates.items() if fate.winner == seat]
    if won:  # then winning has the same value for the other choices
        ends = ends._replace(won=max(won))
    expected = (outcomes @ ends).tolist()
    for at, action in enumerate(actions):
        if isinstance(action, Play) and len(action.cards) == len(view.hand) and _wins_trick_so_far(action, view):
            expected[at] = float(outcomes[at] @ ends._replace(won=chance_if_hand_won_now(view, seat)))
    _lower_beaten_last_cards(view, actions, expected)
    next_leads = {
        at: _next_lead_options(view, seat, memory, action) for at, action in enumerate(actions) if at not in fates
    }
    leads = {at: ways[0].chance for at, ways in next_leads.items() if ways}
    for at, chance in leads.items():
        expected[at] = chance
    from engine.games.twelve_days.endgame import last_hands_if_all_known, win_chances_by_action

    known = last_hands_if_all_known(view, seat, memory)
    if known is not None:
        for at, way in enumerate(win_chances_by_action(view.gifts, known, view.trick, actions)):
            expected[at] = certain[at] = way[seat]
    found = [(certain.get(at, chance), chance, at) for at, chance in enumerate(expected)]
    found.sort(key=lambda it: (-it[0], -it[1], it[2]))  # equal ones in the order of the network
    if view.possible_winners and (seat not in view.possible_winners or len(view.possible_winners) == 1):
        return tuple([RatedAction(actions[at], float(seat in view.possible_winners)) for _, _, at in found])
    # The table shows who can still win by the gifts alone, so the coach never tells such a player that all is lost.
    sure = {at for at, fate in fates.items() if found[0][0] and settles_game(view, seat, fate)}
    sure |= {at for at, chance in leads.items() if chance == 1}
    return tuple(
        [
            RatedAction(actions[at], chance if at in sure else min(max(chance, MIN_UNCERTAINTY), 1 - MIN_UNCERTAINTY))
            for chance, _, at in found
        ]
    )


def _next_lead_options(view: View, me: Seat, memory: Memory | None, action: Action) -> tuple[RatedAction[Action], ...]:
    """What *me* may lead next, with chances, if *action* completes and wins the trick; otherwise, or if the hand is
    over then, empty.

    Nothing happens in between, and nothing is learnt.
    """
    if not isinstance(action, Play) or len(view.trick) + 1 < view.seats or not _wins_trick_so_far(action, view):
        return ()
    hand = without_cards(view.hand, action.cards)
    if not hand:
        return ()
    trick, sizes, gone = (*view.trick, action), list(view.hand_sizes), [*view.gone, *action.cards]
    sizes[me] = len(hand)
    events: list[Event] = [Played(me, action.cards, leads=False), TrickWon(me, trick)]
    for it in view.trick:
        if isinstance(it, Play) and not sizes[it.seat]:
            sizes[it.seat] = len(it.cards)
            events.append(TakenBack(it.seat, it.cards))  # T8
        elif isinstance(it, Play):
            gone += it.cards
    after = view._replace(leader=me, trick=(), hand=hand, hand_sizes=tuple(sizes), gone=tuple(sorted(gone)))
    return rated_actions(after, me, remember(memory, events, me))


def _wins_trick_so_far(play: Play, view: View) -> bool:
    """Whether *play* would win the trick if nobody played after it: its lowest card is as low as any in the trick
    (T7)."""
    return view.lowest is None or play.cards[0] <= view.lowest.cards[0]


def chance_if_hand_won_now(view: View, me: Seat) -> float:
    """The chance of *me* to win the game if it wins the hand now, with the cards that the others hold now (T8, T9).

    After a lead of its last cards that is certain, since every legal answer beats it (T6, T7). After an answer it is as
    good as certain.
    """
    return _chances_if_seat_wins_hand_now(view, me)[me]


def chance_if_lowest_play_wins_hand(view: View, me: Seat) -> float:
    """The chance of *me* to win the game if whoever played the lowest cards in the trick wins the hand with them now.

    They were that player's last cards.
    """
    assert view.lowest is not None
    return _chances_if_seat_wins_hand_now(view, view.lowest.seat)[me]


def _chances_if_seat_wins_hand_now(view: View, winner: Seat) -> tuple[float, ...]:
    """Every seat's chance to win the game if *winner* wins the hand now, with the cards that the others hold now."""
    from engine.games.twelve_days.prospects import chances_after_hand

    lying = {it.seat: len(it.cards) for it in view.trick if isinstance(it, Play)}
    held = {seat: size or lying.get(Seat(seat), 0) for seat, size in enumerate(view.hand_sizes) if seat != winner}
    givers = tuple(Seat(seat) for seat, size in held.items() if size == max(held.values()))
    return tuple(chances_after_hand(view.gifts, winner, givers, view.hands_total - view.hand_number))


def _lower_beaten_last_cards(view: View, actions: Sequence[Action], expected: list[float]) -> None:
    """Lower in *expected*, in place, the chance of each of *actions* that plays last cards which are beaten already,
    below that of a pass.

    They go back (T8), so the action is worth a little less than a pass.
    """
    lowest = view.lowest
    passing = [chance for action, chance in zip(actions, expected, strict=True) if isinstance(action, Pass)]
    for at, action in enumerate(actions):
        if lowest is None or not isinstance(action, Play) or len(action.cards) < len(view.hand):
            continue
        if action.cards[0] > lowest.cards[0]:
            expected[at] = min(expected[at], *passing) - SHOWN_CARDS_COST


def insight(view: View, seat: Seat, memory: Memory | None) -> None:
    """Always ``None``: all that can be said about hidden cards is in ``rated_actions``."""
