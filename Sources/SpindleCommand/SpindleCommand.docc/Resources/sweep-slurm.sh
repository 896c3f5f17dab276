#!/bin/sh
# A sweep as a job array: sbatch --array=1-16 sweep-slurm.sh
#SBATCH --job-name=spindle-sweep
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --requeue
set -eu

# A part that was stopped has left nothing behind, and one that is there is whole.
part="part-$SLURM_ARRAY_TASK_ID"
if [ -e "$part" ]; then exit 0; fi

exec spindle sweep "${TRACE:-feed.trace}" --over cores=1...16 --over limit=1...64 \
    --jobs "${SLURM_CPUS_PER_TASK:-1}" \
    --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --output "$part"
