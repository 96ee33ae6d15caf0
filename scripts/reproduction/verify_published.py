"""Stop when a deterministic score disagrees with the published means, else say how they compare."""

from custodes.reproduction.agreement import verify_published

if __name__ == "__main__":
    verify_published(snakemake.input.comparison, snakemake.input.summary, snakemake.output.verdict)
