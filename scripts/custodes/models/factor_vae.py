"""FactorVAE: the total correlation of the codes, seen by a discriminator, counts gamma times more.

Paper: Kim and Mnih (2018), "Disentangling by Factorising", equations 2 and 3. For a batch of B images and L
latents the loss, in nats per image, is

    mean_b [-log p(x_b | z_b) + KL(q(z | x_b) || N(0, I)) + gamma log (D(z_b) / (1 - D(z_b)))],

z_b (L,) one sample of q(z | x_b). D(z), the probability that z comes from q(z) and not from prod_l q(z_l),
is learnt beside the model: after each step the discriminator takes one of its own, on the codes of the
batch against the same codes with every latent permuted over the batch.

Departures: the codes that are permuted are those of the batch, as in the studies that compare the models,
where the paper draws a second batch; one logit, log D / (1 - D), where the reference codes have two.
"""

from custodes.checks import require_real
from custodes.vae import networks
from custodes.vae.posteriors import kl

SETTINGS = tuple({"gamma": gamma} for gamma in (10.0, 20.0, 30.0, 40.0, 50.0, 100.0))


def check(gamma=10.0):
    """Raise ValueError unless gamma >= 0."""
    require_real("gamma", gamma, 0)


def penalise(mean, log_var, z, step, discriminator, gamma=10.0):
    """What the loss adds to the reconstruction error, by name; mean, log_var and z (B, L)."""
    return {"kl": kl(mean, log_var), "total_correlation": gamma * discriminator.log_ratio(z).mean()}


class Discriminator:
    """Tells codes from codes with permuted latents; owns its weights, its optimiser and its permutations."""

    def __init__(self, latents, layers, width, learning_rate, weights_seed, permutations_seed, device):
        """`layers` hidden layers of `width` units, trained by Adam with betas 0.5 and 0.9."""
        import torch

        self.network = networks.discriminator(latents, layers, width, weights_seed).to(device)
        self.network.requires_grad_(False)  # but in its own steps
        self.optimiser = torch.optim.Adam(
            self.network.parameters(), lr=learning_rate, betas=(0.5, 0.9), fused=True
        )
        self.permutations = torch.Generator(device).manual_seed(permutations_seed)

    def log_ratio(self, z):
        """Estimate of log q(z) - sum_l log q(z_l) for each code of z (B, L), shape (B,)."""
        return self.network(z)[:, 0]

    def update(self, z):
        """Take one step on the codes z (B, L); return their binary cross-entropy, in nats per code."""
        import torch
        from torch.nn.functional import softplus

        z = z.detach()
        keys = torch.rand(z.shape, generator=self.permutations, device=z.device)
        permuted = z.gather(0, keys.argsort(dim=0))
        self.network.requires_grad_(True)
        loss = (softplus(-self.log_ratio(z)).mean() + softplus(self.log_ratio(permuted)).mean()) / 2
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        self.network.requires_grad_(False)
        return loss.detach()

    def state(self):
        """Everything that `restore` needs to go on as if nothing had happened."""
        return {
            "network": self.network.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "permutations": self.permutations.get_state(),
        }

    def restore(self, state):
        """Take over a state of `state`."""
        self.network.load_state_dict(state["network"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.permutations.set_state(state["permutations"])
