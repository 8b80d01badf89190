"""A training in VS Code's interactive window: run the cells from the top."""

# %%
import math
import time

import mswidget

# %% The curves appear beside this file, live; Stop ends the loop after its step.
with mswidget.start_run("interactive", total_steps=300) as run:
    for step in range(1, 301):
        run.log({"loss": 2 * math.exp(-step / 100) + 0.1, "lr": 1e-3 / step}, step=step)
        time.sleep(0.05)
        if run.stop_requested:
            break

# %% The same numbers as a table.
run.to_pandas().tail()
