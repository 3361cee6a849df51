#!/bin/bash
# namespaces.sh RANKS RATE FOLDER PROGRAM ARGS... : runs an MPI program with each rank in a network namespace of its own. All are
# joined by one bridge; each link is shaped to RATE (as tc writes it) in both directions. For a process that is root in a user
# namespace with networks and mounts of its own (lab4_namespaces.py), so that nothing of this machine is changed and all goes
# away with it.
set -eu
ranks=$1 rate=$2 folder=$3
shift 3
mount -t tmpfs none /run
mkdir /run/netns
ip link set lo up
ip link add switch type bridge
ip link set switch up
hosts=
for ((r = 0; r < ranks; ++r)); do
  ip netns add "r$r"
  ip link add "port$r" type veth peer name eth0 netns "r$r"
  ip link set "port$r" master switch up
  tc qdisc add dev "port$r" root tbf rate "$rate" burst 32kb latency 500ms
  ip -n "r$r" addr add "10.77.0.$((r + 1))/24" dev eth0
  ip -n "r$r" link set lo up
  ip -n "r$r" link set eth0 up
  tc -n "r$r" qdisc add dev eth0 root tbf rate "$rate" burst 32kb latency 500ms
  hosts+=,10.77.0.$((r + 1))
  mkdir -p "$folder/tmp$r"
done
cat >"$folder/agent" <<'A'
#!/bin/bash
# Open MPI starts its daemon on "host" 10.77.0.K with this: in the K-th network namespace.
host=$1
shift
r=$((${host##*.} - 1))
exec nsenter --net="/run/netns/r$r" unshare --uts sh -c "hostname r$r; export TMPDIR=$(dirname "$0")/tmp$r; $*"
A
chmod +x "$folder/agent"
"$folder/agent" 10.77.0.1 exec mpirun.openmpi --host "${hosts#,}" -np "$ranks" "$@"
