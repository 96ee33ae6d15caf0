"""Objectives of the autoencoders: closed forms, slow versions, the studies' settings, refused values."""

import math
import subprocess
import sys

import numpy as np
import pytest
import torch

from custodes import registry
from custodes.models import annealed_vae, beta_tc_vae, beta_vae, dip_vae_i, dip_vae_ii, factor_vae, vae
from custodes.vae import posteriors

NAMES = registry.names("models")
# The hyperparameters of the UDR study.
STUDY = {
    "vae": [{}],
    "beta_vae": [{"beta": beta} for beta in (1, 2, 4, 6, 8, 16)],
    "annealed_vae": [
        {"gamma": 1000, "c_max": c_max, "iteration_threshold": 100_000} for c_max in (5, 10, 25, 50, 75, 100)
    ],
    "factor_vae": [{"gamma": gamma} for gamma in (10, 20, 30, 40, 50, 100)],
    "beta_tc_vae": [{"beta": beta} for beta in (1, 2, 4, 6, 8, 10)],
    "dip_vae_i": [{"lambda_od": weight, "lambda_d": 10 * weight} for weight in (1, 2, 5, 10, 20, 50)],
    "dip_vae_ii": [{"lambda_od": weight, "lambda_d": weight} for weight in (1, 2, 5, 10, 20, 50)],
}
CHANGES = {"beta": 3.0, "gamma": 3.0, "c_max": 3.0, "iteration_threshold": 20, "lambda_od": 3.0}
CHANGES |= {"lambda_d": 3.0}


def posterior(batch=32, latents=4, seed=0):
    """mean, log_var and z (batch, latents) of correlated codes."""
    generator = torch.Generator().manual_seed(seed)
    mean, log_var = torch.randn((2, batch, latents), generator=generator)
    mean[:, 1] += mean[:, 0]
    return mean, log_var, posteriors.sample(mean, log_var, generator)


def discriminator(latents=4, layers=2, width=64, learning_rate=1e-3):
    return factor_vae.Discriminator(latents, layers, width, learning_rate, 7, 8, torch.device("cpu"))


def penalties(name, given=None, step=10, **parameters):
    companions = {"discriminator": discriminator()} if name == "factor_vae" else {}
    given = given or posterior()
    return registry.load("models", name).penalise(*given, step, **companions, **parameters)


def codes_with_covariance(covariance, batch=2000):
    """Means (batch, L) whose covariance over the batch, divided by the batch, is exactly this."""
    x = np.random.default_rng(1).standard_normal((batch, len(covariance)))
    x -= x.mean(axis=0)
    x = x @ np.linalg.inv(np.linalg.cholesky(x.T @ x / batch)).T
    return torch.tensor(x @ np.linalg.cholesky(covariance).T + 5)


def test_divergence_from_the_prior():
    mean = torch.tensor([[1.0, 0.0, -2.0], [1.0, 0.0, 2.0]])
    log_var = torch.tensor([[0.0, math.log(4), 0.0], [0.0, math.log(4), 0.0]])
    expected = [0.5, (4 - math.log(4) - 1) / 2, 2.0]
    assert posteriors.kl_per_latent(mean, log_var).tolist() == pytest.approx(expected)
    assert posteriors.kl(mean, log_var).item() == pytest.approx(sum(expected))


def test_divergence_agrees_with_pytorch():
    mean, log_var, _ = posterior()
    normal = torch.distributions.Normal
    expected = torch.distributions.kl_divergence(normal(mean, (log_var / 2).exp()), normal(0.0, 1.0))
    assert torch.allclose(posteriors.kl_per_latent(mean, log_var), expected.mean(dim=0), rtol=1e-5)


def test_samples_have_the_posterior_s_moments():
    mean, log_var = torch.full((100_000, 1), 3.0), torch.full((100_000, 1), math.log(0.25))
    z = posteriors.sample(mean, log_var, torch.Generator().manual_seed(0))
    assert z.mean().item() == pytest.approx(3, abs=0.01)
    assert z.std().item() == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("rho", [0.0, 0.8])
def test_total_correlation_of_gaussian_codes(rho):
    """-log(1 - rho^2) / 2 for two codes that are jointly normal with correlation rho."""
    noise = 0.15
    covariance = np.array([[1, rho], [rho, 1]]) - noise * np.eye(2)
    mean = codes_with_covariance(covariance)
    log_var = torch.full_like(mean, math.log(noise))
    z = posteriors.sample(mean, log_var, torch.Generator().manual_seed(0))
    expected = -math.log(1 - rho**2) / 2
    assert posteriors.total_correlation(mean, log_var, z).item() == pytest.approx(expected, abs=0.04)


def test_total_correlation_agrees_with_a_slow_version():
    tensors = [tensor.double() for tensor in posterior(batch=9, latents=3)]
    mean, log_var, z = (tensor.numpy() for tensor in tensors)
    scale = np.exp(log_var / 2)
    total = 0.0
    for code in z:
        density = np.exp(-(((code - mean) / scale) ** 2) / 2) / scale / math.sqrt(2 * math.pi)
        total += np.log(density.prod(axis=1).mean()) - np.log(density.mean(axis=0)).sum()
    assert posteriors.total_correlation(*tensors).item() == pytest.approx(total / 9, rel=1e-9)


def test_total_correlation_of_narrow_posteriors_meets_its_bound():
    mean = torch.arange(8.0)[:, None].repeat(1, 3)
    narrow = torch.full_like(mean, -20.0)
    value = posteriors.total_correlation(mean, narrow, mean).item()
    assert value == pytest.approx(2 * math.log(8), rel=1e-4)


def test_covariance_penalty():
    covariance = torch.tensor([[2.0, 0.5], [0.5, 1.0]])
    assert posteriors.distance_from_identity(covariance, 3.0, 7.0).item() == pytest.approx(3 * 0.5 + 7)


def test_dip_vaes_on_codes_of_known_covariance():
    mean = codes_with_covariance(np.array([[2.0, 0.5], [0.5, 1.0]]))
    log_var = torch.full_like(mean, math.log(0.25))
    weights = {"lambda_od": 3.0, "lambda_d": 7.0}
    one = dip_vae_i.penalise(mean, log_var, None, 0, **weights)["covariance"].item()
    two = dip_vae_ii.penalise(mean, log_var, None, 0, **weights)["covariance"].item()
    assert one == pytest.approx(3 * 0.5 + 7 * 1.0)
    assert two == pytest.approx(3 * 0.5 + 7 * (1.25**2 + 0.25**2))


def test_covariance_agrees_with_numpy():
    mean, _, _ = posterior()
    expected = np.cov(mean.double().numpy(), rowvar=False, ddof=0)
    assert np.allclose(posteriors.covariance_of_means(mean.double()).numpy(), expected)


def test_capacity_grows_to_its_maximum():
    steps = (0, 50_000, 100_000, 300_000)
    assert [annealed_vae.capacity(step, 25.0, 100_000) for step in steps] == [0, 12.5, 25, 25]


@pytest.mark.parametrize("step", [0, 3, 500])
def test_annealed_penalty_is_the_distance_from_the_capacity(step):
    given = posterior()
    divergence = posteriors.kl(*given[:2]).item()
    wanted = min(2 * divergence, divergence * step / 5)
    settings = {"gamma": 1000.0, "c_max": 2 * divergence, "iteration_threshold": 10}
    value = annealed_vae.penalise(*given, step, **settings)["capacity"].item()
    assert value == pytest.approx(1000 * abs(divergence - wanted), rel=1e-5)


def test_models_that_are_a_vae():
    given = posterior()
    (divergence,) = vae.penalise(*given, 0).values()
    assert torch.equal(beta_vae.penalise(*given, 0, beta=1.0)["kl"], divergence)
    assert torch.equal(sum(beta_tc_vae.penalise(*given, 0, beta=1.0).values()), divergence)
    for module in (dip_vae_i, dip_vae_ii):
        assert torch.equal(sum(module.penalise(*given, 0, 0.0, 0.0).values()), divergence)
    assert torch.equal(sum(factor_vae.penalise(*given, 0, discriminator(), 0.0).values()), divergence)


def test_beta_is_a_factor():
    given = posterior()
    (divergence,) = vae.penalise(*given, 0).values()
    assert beta_vae.penalise(*given, 0, beta=6.0)["kl"].item() == pytest.approx(6 * divergence.item())
    terms = beta_tc_vae.penalise(*given, 0, beta=6.0)
    assert terms["kl"].item() == divergence.item()
    expected = 5 * posteriors.total_correlation(*given).item()
    assert terms["total_correlation"].item() == pytest.approx(expected)


def test_discriminator_learns_the_total_correlation():
    rng = np.random.default_rng(0)
    critic = discriminator(latents=2, width=32)
    for _ in range(300):
        x = rng.standard_normal((512, 2))
        x[:, 1] = 0.8 * x[:, 0] + 0.6 * x[:, 1]
        error = critic.update(torch.tensor(x, dtype=torch.float32))
    z = torch.tensor(x, dtype=torch.float32)
    assert critic.log_ratio(z).mean().item() == pytest.approx(-math.log(1 - 0.64) / 2, abs=0.12)
    assert error.item() < 0.65  # below log 2, that of a coin


def test_discriminator_and_model_leave_each_other_alone():
    critic = discriminator()
    mean, log_var, _ = posterior()
    mean.requires_grad_(True)
    z = posteriors.sample(mean, log_var, torch.Generator().manual_seed(0))
    critic.update(z)
    assert mean.grad is None
    before = [parameter.clone() for parameter in critic.network.parameters()]
    for parameter in critic.network.parameters():
        parameter.grad = None
    factor_vae.penalise(mean, log_var, z, 0, critic, 10.0)["total_correlation"].backward()
    assert mean.grad.abs().sum() > 0
    for parameter, old in zip(critic.network.parameters(), before, strict=True):
        assert parameter.grad is None
        assert torch.equal(parameter, old)


def test_permuted_codes_keep_every_latent_s_values(monkeypatch):
    seen = []
    critic = discriminator()
    log_ratio = critic.log_ratio
    monkeypatch.setattr(critic, "log_ratio", lambda z: seen.append(z) or log_ratio(z))
    _, _, z = posterior()
    critic.update(z)
    original, permuted = seen
    assert torch.equal(original, z)
    assert torch.equal(permuted.sort(dim=0).values, z.sort(dim=0).values)
    rows = {tuple(row) for row in z.tolist()}
    assert sum(tuple(row) in rows for row in permuted.tolist()) < len(z) / 4


def test_every_class_of_the_study_is_there():
    assert set(NAMES) == set(STUDY)


@pytest.mark.parametrize("name", STUDY)
def test_settings_are_the_study_s_and_complete(name):
    module = registry.load("models", name)
    assert list(module.SETTINGS) == STUDY[name]
    for setting in module.SETTINGS:
        assert set(setting) == set(registry.parameters("models", name))
        module.check(**setting)
        assert all(value.isfinite() for value in penalties(name, **setting).values())
    assert len(module.__doc__.splitlines()) > 3


@pytest.mark.parametrize(
    ("name", "parameter"), [(name, key) for name in NAMES for key in registry.parameters("models", name)]
)
def test_every_parameter_changes_the_loss_and_bad_values_are_refused(name, parameter):
    module = registry.load("models", name)
    changed = sum(penalties(name, **{parameter: CHANGES[parameter]}).values())
    assert not torch.equal(changed, sum(penalties(name).values()))
    for value in (-1.0, math.nan, math.inf, "4", True):
        with pytest.raises(ValueError, match=f"{parameter} = {value!r}"):
            module.check(**{parameter: value})


IMPORTS = """
import sys
from custodes import registry
from custodes.vae import networks, training, traversals
from custodes.images import own_codes
from custodes.vae import encoding
from scripts.images import train_vae
for name in registry.names("models"):
    registry.parameters("models", name)
    registry.load("models", name).check()
print(sorted({"torch", "matplotlib", "sklearn", "pandas"} & set(sys.modules)))
"""


def test_nothing_heavy_is_imported_before_it_is_used():
    run = subprocess.run([sys.executable, "-c", IMPORTS], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
