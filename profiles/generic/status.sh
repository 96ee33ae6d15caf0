#!/bin/sh
# Prints running, success or failed for the Slurm job $1: by squeue, and by sacct once squeue has forgotten it.
answer=$(squeue --noheader --states=all --format=%T --jobs="$1" 2>&1)
case $answer in
  "" | *"Invalid job id"*) answer=$(sacct --allocations --noheader --parsable2 --format=State --jobs="$1" 2>/dev/null) ;;
esac
case $answer in
  COMPLETED) echo success ;;
  BOOT_FAIL | CANCELLED* | DEADLINE | FAILED | NODE_FAIL | OUT_OF_MEMORY | PREEMPTED | REVOKED | TIMEOUT | "") echo failed ;;
  *) echo running ;; # or Slurm does not answer: Snakemake asks again
esac
