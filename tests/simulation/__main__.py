import sys
import time
import traceback
from pathlib import Path

from tests.simulation.plan import plan
from tests.simulation.universe import simulate

a, b = int(sys.argv[1]), int(sys.argv[2])
for s in range(a, b):
    t = time.perf_counter()
    p = plan(s)
    r = simulate(p, Path(f"/dev/shm/sim-{a}"))
    print(
        s,
        r.digest[:10],
        round(r.seconds, 1),
        round(time.perf_counter() - t, 2),
        p.games,
        [x.what for x in p.troubles],
        repr(r.error)[:1500],
        flush=True,
    )
    if r.error is not None and len(sys.argv) > 3:
        traceback.print_exception(r.error, limit=-8)
