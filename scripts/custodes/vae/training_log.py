"""Lines by which a person follows a training."""

import time

from custodes.durations import in_words


class Clock:
    """Speed and time left of a training that starts, or goes on, at `step`."""

    def __init__(self, step, steps, batch_size):
        """steps: of the whole training."""
        self.first, self.steps, self.batch_size = step, steps, batch_size
        self.start = time.monotonic()

    def line(self, summary):
        """One line for a summary of custodes/vae/training.py: step, loss and its parts, speed, time left."""
        step = summary["step"]
        per_step = (time.monotonic() - self.start) / (step - self.first)
        penalties = [
            f"{name.removeprefix('penalty_').replace('_', ' ')} {value:.2f}"
            for name, value in summary.items()
            if name.startswith("penalty_")
        ]
        per_latent = " ".join(f"{value:.2f}" for value in summary["kl_per_latent"])
        return (
            f"step {step:,} of {self.steps:,}: loss {summary['loss']:.2f} = reconstruction "
            f"{summary['reconstruction']:.2f} + {' + '.join(penalties)}; KL {summary['kl']:.2f} nats "
            f"({per_latent}); {self.batch_size / per_step:,.0f} images/s; "
            f"{in_words(per_step * (self.steps - step))} left"
        )
