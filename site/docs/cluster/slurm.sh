#!/bin/sh
# sh slurm.sh submits an array of parts and, after it, their join, whose output is result.txt.
#SBATCH --job-name=logz
#SBATCH --cpus-per-task=2                             # CHANGE: processors of a part
#SBATCH --time=1:00:00                                # CHANGE: of a part; one that is cut off goes on when run again
n=20                                                  # CHANGE: parts
run='-model rbm-pcd-500 -method ais -replicates 40'   # CHANGE: what logz run takes; replicates: a multiple of the parts
if [ -n "$SLURM_ARRAY_TASK_ID" ]; then
  exec logz part -of $n -out parts/ -workers "$SLURM_CPUS_PER_TASK" $run
fi
array=$(sbatch --parsable --array=1-$n "$0") &&
  sbatch --dependency=afterany:"$array" --output=result.txt --wrap 'logz join parts'
