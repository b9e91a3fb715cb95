#!/bin/sh
# sh slurm-experiment.sh makes a figure of a paper in parts, and joins them in the folder of the figure.
#SBATCH --job-name=logz
#SBATCH --cpus-per-task=2                  # CHANGE: processors of a part
#SBATCH --time=8:00:00                     # CHANGE: of a part; one that is cut off goes on when run again
n=10                                       # CHANGE: parts
figure='arm-fig2 -full -out arm-fig2'      # CHANGE: see logz experiment
if [ -n "$SLURM_ARRAY_TASK_ID" ]; then
  exec logz experiment $figure -part array -of $n -workers "$SLURM_CPUS_PER_TASK"
fi
array=$(sbatch --parsable --array=1-$n "$0") &&
  sbatch --dependency=afterany:"$array" --time=8:00:00 --wrap "logz experiment $figure -continue"
