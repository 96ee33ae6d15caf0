"""Judge every score whose best value is 1 by every property, from the scores of all draws."""

from custodes.judging.judgements import judge_properties
from custodes.study.yaml_files import read_yaml

if __name__ == "__main__":
    judge_properties(
        paths_to_scores=snakemake.input.scores,
        protocol=snakemake.wildcards.protocol,
        scores=snakemake.params.scores,
        rule=snakemake.params.rule,
        figures=snakemake.params.figures,
        paper=read_yaml(snakemake.input.paper)["verdicts"],
        path_to_verdicts=snakemake.output.verdicts,
    )
