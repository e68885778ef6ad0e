#!/usr/bin/env bash
# examples/audit for real: `schedulers.sh BUILD`. Slurm with two virtual nodes on this machine, and Dask
# with three workers; one of each is killed in the middle, and what comes out is what one run prints.
# Ends only processes that it started.
. "$(dirname "$0")/../scripts/harness.sh"

build=$(realpath "${1:-build}")
export GRAZE=$build/graze
cd "$temporary" || exit
started=()

# family ID: a process and all below it
family() {
    local child
    echo "$1"
    for child in $(ps -o pid= --ppid "$1"); do
        family "$child"
    done
}

# marked MARK...: all processes that were started with these in their environment
marked() {
    local folder mark
    for folder in /proc/[0-9]*; do
        for mark in "$@"; do
            grep -qzxF -- "$mark" "$folder/environ" 2>/dev/null || continue 2
        done
        echo "${folder#/proc/}"
    done
}

end_started() {
    local id
    for id in "${started[@]}"; do
        # shellcheck disable=SC2046
        kill -KILL $(family "$id") 2>/dev/null
    done
    # what slurmd starts leaves its family
    # shellcheck disable=SC2046
    [ -z "${SLURM_CONF:-}" ] || kill -KILL $(marked "SLURM_CONF=$SLURM_CONF") 2>/dev/null
    wait
    finish
}
trap 'end_started 2>/dev/null' EXIT

# start NAME COMMAND...: in the background, its id in $last
start() {
    local name=$1
    shift
    "$@" >"$name.log" 2>&1 &
    last=$!
    started+=("$last")
}

# within SECONDS COMMAND...: until it is well
within() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.1
    done
}

free_port() { /usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# ---- a library, and what one run says of it

make_library() {
    local i
    mkdir models
    for i in $(seq 10); do
        "$GRAZE" synth player --triangles $((20000 + 100 * i)) -o "models/player$i.glb" || return
    done
    head -c 5000 models/player1.glb >models/half.glb
    "$GRAZE" audit models --json --folds -o wanted.jsonl
    [ $? = 2 ] && [ "$(wc -l <wanted.jsonl)" -gt 100 ]
}

results() { find "$1/results" -name '*-[0-9]*.json' 2>/dev/null | wc -l; }
has_results() { [ "$(results "$1")" -ge "$2" ]; }

expect_ok "a library, audited in one run" make_library

# ---- Slurm

start_munge() {
    mkdir -m 700 munge
    head -c 1024 /dev/urandom >munge/key
    chmod 400 munge/key
    start munged munged --foreground --force --key-file="$PWD/munge/key" --socket="$PWD/munge/socket" \
        --pid-file="$PWD/munge/pid" --log-file="$PWD/munge/log" --seed-file="$PWD/munge/seed"
    within 10 test -S munge/socket
}

write_configuration() {
    local me
    me=$(id -un)
    mkdir slurm slurm/state slurm/n1 slurm/n2
    cat >slurm/slurm.conf <<CONF
ClusterName=audit
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmUser=$me
SlurmdUser=$me
AuthType=auth/munge
AuthInfo=socket=$PWD/munge/socket,cred_expire=5
StateSaveLocation=$PWD/slurm/state
SlurmdSpoolDir=$PWD/slurm/%n
SlurmctldPidFile=$PWD/slurm/slurmctld.pid
SlurmdPidFile=$PWD/slurm/slurmd-%n.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=5
ReturnToService=2
SlurmdTimeout=10
MpiDefault=none
NodeName=n1 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$(free_port) CPUs=1 RealMemory=500
NodeName=n2 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$(free_port) CPUs=1 RealMemory=500
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
    export SLURM_CONF=$PWD/slurm/slurm.conf
}

start_slurm() {
    write_configuration
    start slurmctld slurmctld -D -f "$SLURM_CONF"
    start slurmd1 slurmd -D -N n1 -f "$SLURM_CONF"
    node=$last
    start slurmd2 slurmd -D -N n2 -f "$SLURM_CONF"
    within 60 both_idle
}

both_idle() { [ "$(sinfo -h -o '%n %t' -N | sort -u | grep -c ' idle$')" = 2 ]; }

# The first node goes away with all that runs on it while it has work.
kill_node() {
    within 120 has_results slurm-results 8 || return
    within 30 busy || return
    # shellcheck disable=SC2046
    kill -KILL $(family "$node") $(on_first_node)
}

# The jobs, and the process that watches over each.
on_first_node() {
    local id parent
    for id in $(marked "SLURM_CONF=$SLURM_CONF" SLURMD_NODENAME=n1); do
        parent=$(ps -o ppid= -p "$id")
        [ "$(ps -o comm= -p "$parent")" != slurmstepd ] || echo "$parent"
        echo "$id"
    done
}
busy() { on_first_node | grep -q .; }
merged() { [ -e slurm-results/found.jsonl ] && ! squeue -h | grep -q .; }
was_requeued() { grep -q -i requeue slurmctld.log; }

logs() { tail -n 20 ./*.log slurm-results/*.log; }

by_slurm() {
    start_munge && start_slurm || { logs && return 1; }
    SBATCH='--time=30' bash "$root/examples/audit/slurm_audit.sh" slurm-results 12 models || return
    kill_node || { echo "no node killed" && logs && return 1; }
    within 900 merged || { squeue && sinfo && logs && return 1; }
    was_requeued || { echo "no job was queued again" && logs && return 1; }
    cmp wanted.jsonl slurm-results/found.jsonl || { logs && return 1; }
}

# ---- Dask

kill_worker() {
    within 120 has_results dask-results 8 || return
    # shellcheck disable=SC2046
    kill -KILL $(family "$worker")
}

start_dask() {
    local port i
    port=$(free_port)
    address=tcp://127.0.0.1:$port
    start scheduler dask-scheduler --host 127.0.0.1 --port "$port" --no-dashboard --no-show
    for i in 1 2 3; do
        start "worker$i" dask-worker "$address" --nthreads 1 --no-dashboard --no-nanny \
            --local-directory "$PWD/worker$i"
    done
    worker=$last
}

by_dask() {
    local status=0
    start_dask
    start client /usr/bin/python3 "$root/examples/audit/dask_audit.py" "$address" dask-results 12 models
    client=$last
    kill_worker || { logs && return 1; }
    wait "$client" || status=$?
    # 2: a file could not be read, and that was told
    [ $status = 2 ] && grep -q '^12 of 12 jobs' client.log && grep -q half.glb client.log &&
        cmp wanted.jsonl dask-results/found.jsonl || { logs && return 1; }
}

# Not in a subshell, whose children would not be known here.
in_place() {
    local name=$1
    shift
    if "$@" >"$name.out" 2>&1; then
        report yes "$name" ""
    else
        report no "$name" "$(cat "$name.out")"
    fi
}

if command -v slurmctld >/dev/null && command -v munged >/dev/null; then
    in_place "an array of Slurm, a node killed" by_slurm
else
    skip "an array of Slurm, a node killed" "slurm-wlm and munge are not installed"
fi
if /usr/bin/python3 -c 'import distributed' 2>/dev/null; then
    in_place "workers of Dask, one killed" by_dask
else
    skip "workers of Dask, one killed" "python3-distributed is not installed"
fi
