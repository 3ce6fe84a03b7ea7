"""The search of a computer player in a two-player game of 17: it plays every choice through in many worlds
(``worlds``).

The trained network proposes the choices, and the search weighs them by their results. Each world is played to the end
of the round by the network. Then the critic, which sees all cards, gives the chances to win.
"""

from random import Random

import numpy as np

from engine.game import Seat
from engine.games.diciassette import features as f
from engine.games.diciassette.choices import CALL, CHOICES
from engine.games.diciassette.memory import Memory
from engine.games.diciassette.remembered import ME
from engine.games.diciassette.styles import MAX_PLAYOUT_ACTIONS
from engine.games.diciassette.tables import Flags, Ints, SimulatedTables
from engine.games.diciassette.view import View
from engine.games.diciassette.worlds import Worlds, sample_consistent_worlds
from engine.network import IMPOSSIBLE, Floats, Network, Policy, softmax


def sample_choices(logits: Floats, allowed: Flags, rng: np.random.Generator) -> tuple[Ints, Floats]:
    """Choose for each row at random among the *allowed*, as likely as *logits* say, and return (numbers of the choices,
    logarithms of their chances)."""
    chances = softmax(np.where(allowed, logits, IMPOSSIBLE))
    bounds = np.cumsum(chances, axis=1)
    lots = rng.random((len(logits), 1), dtype=np.float32) * bounds[:, -1:]
    chosen = (bounds <= lots).sum(axis=1).clip(0, CHOICES - 1)
    at = np.arange(len(chosen))
    # Rounding might hit a choice of no chance at all.
    chosen = np.where(allowed[at, chosen], chosen, chances.argmax(axis=1))
    return chosen, np.log(chances[at, chosen])


def choose_by_policy(policy: Policy, x: Floats, allowed: Flags, rng: np.random.Generator) -> tuple[Ints, Floats]:
    """Let *policy* choose for each row of features *x* among the *allowed*, at random: (numbers of the choices,
    logarithms of their chances).

    The policy is not asked where only one choice is *allowed*.
    """
    unclear = np.flatnonzero(allowed.sum(axis=1) > 1)
    chosen, chance = allowed.argmax(axis=1), np.zeros(len(x), np.float32)
    chosen[unclear], chance[unclear] = sample_choices(policy(x[unclear]), allowed[unclear], rng)
    return chosen, chance


def seats_in_play_order(tables: SimulatedTables) -> Ints:
    """For each table, its seats in the order of play from the player on turn, as the critic lists them. Seats that do
    not exist come last."""
    steps = np.arange(6)
    order = (tables.turn[:, None] + tables.direction[:, None] * steps) % tables.sizes[:, None]
    return np.where(steps < tables.sizes[:, None], order, steps)


def critic_chances(critic: Network, tables: SimulatedTables, seen: Floats) -> Floats:
    """Every seat's chance to win by the *critic* network, from the open features *seen*; of shape (tables, 6), by
    seat."""
    logits = critic(seen)
    logits = np.where(tables.present, logits, IMPOSSIBLE)
    chances = softmax(logits)
    result = np.empty_like(chances)
    np.put_along_axis(result, seats_in_play_order(tables), chances, axis=1)
    return result


def playout_chances(
    worlds: Worlds,
    places: Ints,
    plays: Ints,
    policy: Policy,
    critic: Network,
    most_actions: int = MAX_PLAYOUT_ACTIONS,
) -> Floats:
    """Seat 0's chance to win after each of *plays*, its choices in the worlds numbered *places*, found by playing on.
    *policy* plays *most_actions* at most, and to the end of the round at most; then *critic* judges."""
    rng = worlds.rng
    tables = worlds.copy_tables(places, rng)
    tables.redeal = False
    worth = np.zeros(tables.count, np.float32)
    where = np.arange(tables.count)
    for step in range(most_actions):
        rounds = tables.rounds.copy()
        callers = np.where(plays == CALL, tables.turn, -1)
        ended = tables.apply_actions(plays, callers)
        worth[where[ended.tables]] = ended.shares[:, ME]
        going = np.ones(tables.count, bool)
        going[ended.tables] = False
        at_rest = going & ((tables.rounds != rounds) | (step == most_actions - 1))
        if at_rest.any():
            worth[where[at_rest]] = critic_chances(critic, tables, tables.features_with_open_cards())[at_rest, ME]
        going &= ~at_rest
        if not going.any():
            break
        tables, where = tables.copy_tables(np.flatnonzero(going), rng), where[going]
        rows = tables.pending_decisions()
        x = tables.features(rows)
        plays, _ = choose_by_policy(policy, x, tables.legal_choices(rows, x[:, f.GUESS + 3] > 0), rng)
    return worth


def playout_choice_values(
    worlds: Worlds, options: Ints, policy: Policy, critic: Network, most_actions: int = MAX_PLAYOUT_ACTIONS
) -> Floats:
    """How good each of *options* is for seat 0, who is on turn: its mean chance to win over *worlds*, by playing on.
    The worlds have equal weights; *most_actions* is as in ``playout_chances``."""
    places = np.tile(np.arange(worlds.count), len(options))
    worth = playout_chances(worlds, places, np.repeat(options, worlds.count), policy, critic, most_actions)
    means: Floats = worth.reshape(len(options), worlds.count).mean(axis=1)
    return means


def search_choice_values(
    view: View,
    seat: Seat,
    memory: Memory,
    options: list[int],
    networks: tuple[Policy, Network],
    count: int,
    rng: Random,
    most_actions: int = MAX_PLAYOUT_ACTIONS,
) -> Floats | None:
    """How good each of *options* is for *seat*, who is on turn, by playing on in *count* worlds; ``None`` if it cannot
    know. The value is the mean chance to win. ``None``: it cannot reconstruct the round, or no world agrees. Options
    are numbers of ``choices``; *memory* is what the seat remembers.

    *networks*: how both players play, and who wins then; *most_actions* is as in ``playout_chances``. The same view,
    memory and state of *rng* give the same.
    """
    policy, critic = networks
    worlds = sample_consistent_worlds(view, seat, memory, policy, count, np.random.default_rng(rng.getrandbits(64)))
    return None if worlds is None else playout_choice_values(worlds, np.array(options), policy, critic, most_actions)
