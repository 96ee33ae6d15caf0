"""Training of a variational autoencoder: seeded, resumable, and stopped where it diverges.

On the CPU, in one thread, the same plan and images give the same weights bit by bit, also where the
process was killed and started again from its checkpoint. On a GPU they agree to rounding.
"""

from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from custodes import registry, streams
from custodes.checks import require_count, require_real
from custodes.errors import Diverged
from custodes.tables.files import replacing
from custodes.vae import minibatches, networks, posteriors, training_log


@dataclass(frozen=True)
class Plan:
    """What decides the weights, besides the images; a plan that cannot be trained raises ValueError.

    model, parameters: an objective of custodes.models and its hyperparameters. restart: the run's seed.
    network, latents, width: see vae/networks.py. discriminator_*: of the FactorVAE. A line of progress
    every `report_every` steps, a checkpoint every `checkpoint_every`, which must be a multiple of it.
    """

    model: str
    parameters: dict
    restart: int
    steps: int
    network: str = "mlp"
    latents: int = 10
    width: int = 256
    batch_size: int = 64
    learning_rate: float = 1e-4
    discriminator_layers: int = 6
    discriminator_width: int = 1000
    discriminator_learning_rate: float = 1e-4
    report_every: int = 100
    checkpoint_every: int = 1000

    def __post_init__(self):
        """Check every value."""
        networks.check(self.network, self.latents, self.width)
        for name in ("steps", "batch_size", "report_every", "checkpoint_every"):
            require_count(name, getattr(self, name), 1)
        require_count("restart", self.restart, 0)
        for name in ("discriminator_layers", "discriminator_width"):
            require_count(name, getattr(self, name), 1)
        for name in ("learning_rate", "discriminator_learning_rate"):
            require_real(name, getattr(self, name), 0)
        if self.checkpoint_every % self.report_every:
            reason = f"a multiple of report_every = {self.report_every}"
            raise ValueError(f"checkpoint_every = {self.checkpoint_every}: must be {reason}")
        known = registry.parameters("models", self.model)
        for name in self.parameters:
            if name not in known:
                listed = ", ".join(known) or "none"
                raise ValueError(f"{self.model} has no parameter {name!r}; known: {listed}")
        registry.load("models", self.model).check(**self.parameters)

    def describe(self):
        """Say model, hyperparameters and restart in a few words."""
        values = ", ".join(f"{name} = {value:g}" for name, value in self.parameters.items())
        return f"{self.model}{f' ({values})' if values else ''}, restart {self.restart}"


def train(images, white, plan, *, path_to_checkpoint=None, report=print):
    """Train on images (N, H, W[, C]), see custodes/vae/minibatches.py, by Adam.

    Returns the network, in evaluation on the CPU, and the history: for each line of progress the step,
    means over the steps since the last one of `loss`, `reconstruction`, `penalty_*` and `kl`, in nats per
    image, and `kl_per_latent`.

    path_to_checkpoint: where the state is kept, and taken up again if the file is there and of the same
    plan and images. report: gets the lines. Raises Diverged where loss or weights stop being finite,
    and DamagedFile for a damaged checkpoint.
    """
    minibatches.check(images, white, networks.SIDES[plan.network])
    with one_thread():
        run = Run(images, white, plan)
        report(f"{plan.describe()}: {plan.steps:,} steps of {plan.batch_size} images on {run.device}")
        if path_to_checkpoint is not None and Path(path_to_checkpoint).exists():
            report(run.resume(path_to_checkpoint))
        clock = training_log.Clock(run.step, plan.steps, plan.batch_size)
        while run.step < plan.steps:
            summary = run.advance(min(plan.report_every, plan.steps - run.step))
            report(clock.line(summary))
            if path_to_checkpoint is not None and run.step % plan.checkpoint_every == 0:
                run.save(path_to_checkpoint)
    return run.network.cpu().eval(), run.history


def device():
    """CUDA where there is a GPU, else the CPU."""
    import torch

    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


@contextmanager
def one_thread():
    """Let PyTorch use one thread: sums in several threads differ in their last bits."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class Run:
    """The state of one training: weights, optimiser, discriminator, generators, step, history."""

    def __init__(self, images, white, plan):
        """The state before the first step."""
        import torch

        self.plan, self.step, self.history = plan, 0, []
        self.identity = {"plan": asdict(plan), "images": [*images.shape], "white": white}
        self.device = device()
        self.objective = registry.load("models", plan.model)
        weights, rows, noise, *discriminator = streams.training(plan.restart)
        self.network = networks.autoencoder(
            plan.network, minibatches.channels(images), plan.latents, plan.width, weights
        ).to(self.device)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=plan.learning_rate, fused=True)
        self.rows = torch.Generator().manual_seed(rows)
        self.noise = torch.Generator(self.device).manual_seed(noise)
        side = networks.SIDES[plan.network]
        self.batches = minibatches.drawn(images, white, side, plan.batch_size, self.rows, self.device)
        self.companions = {}
        if registry.takes("models", plan.model, "discriminator"):
            self.companions["discriminator"] = self.objective.Discriminator(
                plan.latents,
                plan.discriminator_layers,
                plan.discriminator_width,
                plan.discriminator_learning_rate,
                *discriminator,
                self.device,
            )

    def advance(self, steps):
        """Take some steps; their summary, which is also added to the history."""
        import torch

        rows = []
        for _ in range(steps):
            names, values = self._advance_once(next(self.batches))
            rows.append(values)
        block = torch.stack(rows).double().cpu()  # only here the CPU waits for the GPU
        self._refuse_divergence(names, block)
        means = block.mean(dim=0).tolist()
        summary = {"step": self.step} | dict(zip(names, means, strict=False))
        per_latent = means[len(names) :]
        summary |= {"kl": sum(per_latent), "kl_per_latent": per_latent}
        self.history.append(summary)
        return summary

    def _advance_once(self, x):
        import torch

        mean, log_var = networks.posterior(self.network, x)
        z = posteriors.sample(mean, log_var, self.noise)
        reconstruction = networks.reconstruction_error(self.network, z, x)
        penalties = self.objective.penalise(
            mean, log_var, z, self.step, **self.companions, **self.plan.parameters
        )
        loss = reconstruction + sum(penalties.values())
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        for companion in self.companions.values():
            companion.update(z)
        self.step += 1
        names = ["loss", "reconstruction", *(f"penalty_{name}" for name in penalties)]
        with torch.no_grad():
            terms = torch.stack([loss, reconstruction, *penalties.values()])
            return names, torch.cat([terms, posteriors.kl_per_latent(mean, log_var)])

    def _refuse_divergence(self, names, block):
        """Raise Diverged for the first step of block (steps, terms and latents) that is not finite."""
        finite = block.isfinite().all(dim=1)
        if not finite.all():
            first = int(finite.logical_not().nonzero()[0])
            terms = zip(names, block[first].tolist(), strict=False)
            listed = ", ".join(f"{name} {value:g}" for name, value in terms)
            step = self.step - len(block) + first + 1
        elif all(value.isfinite().all() for value in self.network.parameters()):
            return
        else:
            listed, step = "a weight is not finite", self.step
        raise Diverged(
            f"{self.plan.describe()}: diverged at step {step:,} of {self.plan.steps:,} "
            f"with learning rate {self.plan.learning_rate:g}: {listed}"
        )

    def save(self, path):
        """Write the whole state; a file that is there stays whole until the new one replaces it."""
        import torch

        state = self.identity | {
            "step": self.step,
            "history": self.history,
            "network": self.network.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "rows": self.rows.get_state(),
            "noise": self.noise.get_state(),
            "companions": {name: companion.state() for name, companion in self.companions.items()},
        }
        with replacing(path) as temporary:
            torch.save(state, temporary)

    def resume(self, path):
        """Take over the state of a checkpoint, or leave one of another plan alone; say which."""
        state = networks.read(path)
        for key, value in self.identity.items():
            if state[key] != value:
                return f"the checkpoint has another {key}: from the start"
        self.step, self.history = state["step"], state["history"]
        self.network.load_state_dict(state["network"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.rows.set_state(state["rows"])
        self.noise.set_state(state["noise"])
        for name, companion in self.companions.items():
            companion.restore(state["companions"][name])
        return f"resumed from the checkpoint at step {self.step:,}"
