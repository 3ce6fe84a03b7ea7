"""Makes a plan that fails shorter: what can be left out, or be simpler, without the failure going away, goes."""

from collections.abc import Callable, Iterator

from tests.simulation.plan import Guest, Plan


def shrunk(plan: Plan, fails: Callable[[Plan], bool], most: int = 150) -> tuple[Plan, int]:
    """(a plan as simple as possible for which *fails* is still true, how many were tried, *most* at most). It must be
    true for *plan*."""
    tried = 0
    better = True
    while better:
        better = False
        for simpler in _simpler(plan):
            if tried == most:
                return plan, tried
            tried += 1
            if fails(simpler):
                plan, better = simpler, True
                break
    return plan, tried


def _simpler(plan: Plan) -> Iterator[Plan]:
    """Plans that are simpler than *plan* in one way, the boldest first."""
    troubles, guests = plan.troubles, plan.guests
    size = len(troubles)
    while size:
        for start in range(0, len(troubles), size):
            yield plan._replace(troubles=troubles[:start] + troubles[start + size :])
        size //= 2
    if len(plan.games) > 1:
        for game in plan.games:
            yield plan._replace(games=(game,))
    if plan.soloist:
        yield plan._replace(soloist=None)
    if plan.computers:
        yield plan._replace(computers=0)
    if len(guests) > 2:
        for left in range(len(guests)):
            yield plan._replace(guests=guests[:left] + guests[left + 1 :])
    for number, guest in enumerate(guests):
        plain = Guest(by_dm=guest.by_dm)
        for easier in (plain, guest._replace(sleeps=plain.sleeps), guest._replace(by_dm=True)):
            if easier != guest:
                yield plan._replace(guests=(*guests[:number], easier, *guests[number + 1 :]))
    for number, trouble in enumerate(troubles):
        if trouble.at > 1:
            earlier = trouble._replace(at=round(trouble.at / 2, 2))
            yield plan._replace(troubles=(*troubles[:number], earlier, *troubles[number + 1 :]))
    if not plan.orderly:
        yield plan._replace(orderly=True)
    if plan.lag != (0.0, 0.001):
        yield plan._replace(lag=(0.0, 0.001))
    if plan.seconds > 5:
        yield plan._replace(seconds=plan.seconds / 2)
        yield plan._replace(seconds=plan.seconds - 5)
