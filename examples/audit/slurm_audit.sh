#!/usr/bin/env bash
# Audits a library as an array of Slurm jobs, and merges it in a job that waits for them:
# `slurm_audit.sh DIR JOBS INPUT... [options of graze audit]`. DIR is on a disk that all nodes have; in
# it are then found.jsonl, merge.log, and a log for each job. GRAZE is the command (graze), SBATCH more
# options for sbatch, such as "--partition=night --cpus-per-task=4". Run it again to do what is missing.
set -euo pipefail
export DIR=$1 JOBS=$2 GRAZE=${GRAZE:-graze}
shift 2
read -ra more <<<"${SBATCH:-}"
mkdir -p "$DIR"
[ -e "$DIR/plan.json" ] || "$GRAZE" audit plan "$@" -o "$DIR/plan.json"

# A job on a node that fails is queued again, and goes on where it was.
array=$(sbatch --parsable --requeue --open-mode=append --job-name=audit --array="1-$JOBS" \
    --output="$DIR/job-%a.log" "${more[@]}" <<'JOB'
#!/usr/bin/env bash
exec "$GRAZE" audit --plan "$DIR/plan.json" --shard "$SLURM_ARRAY_TASK_ID/$JOBS" --out "$DIR/results" \
    --resume --threads "${SLURM_CPUS_PER_TASK:-1}" >/dev/null
JOB
)

# After any end of the others: a file that could not be read is a failure of its job, and merge knows
# what is missing.
sbatch --parsable --job-name=audit-merge --dependency="afterany:${array%%;*}" --output="$DIR/merge.log" \
    "${more[@]}" <<'JOB'
#!/usr/bin/env bash
exec "$GRAZE" audit merge "$DIR/results" --json --folds -o "$DIR/found.jsonl"
JOB
