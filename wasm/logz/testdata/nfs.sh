#!/bin/sh
# The first program of a Linux in user mode, whose files are those of this machine: it serves a folder by NFS, mounts
# it, and computes parts in it. TestNFS starts it, with the programs in $NFS, the command as $LOGZ, and a folder $OUT.
B=$NFS/bin/busybox
export PATH=$NFS/sbin:$NFS/usr/sbin:/usr/bin:/bin LD_LIBRARY_PATH=$NFS/usr/lib/x86_64-linux-gnu LOGZ_COMMAND=1
exec >"$OUT/said" 2>&1
$B mount -t proc proc /proc
for at in /run /mnt /var/lib; do $B mount -t tmpfs t $at; done
mkdir -p /var/lib/nfs/v4recovery /mnt/served /mnt/parts
touch /var/lib/nfs/etab /var/lib/nfs/rmtab
$B ip link set lo up
cd "$NFS"/usr/lib/uml/modules/*
for m in nfsd nfsv4; do
  for f in $(sed -n "s#^\(.*/$m.ko\): *\(.*\)#\1 \2#p" modules.dep | tr ' ' '\n' | tac); do $B insmod "$f"; done
done
$B mount -t nfsd nfsd /proc/fs/nfsd
for time in nfsv4leasetime nfsv4gracetime; do echo 10 >/proc/fs/nfsd/$time; done
$B mount -t tmpfs t /mnt/served
exportfs -o rw,fsid=0,no_root_squash,no_subtree_check,insecure 127.0.0.1:/mnt/served
rpc.mountd -N 3 && rpc.nfsd -N 3 4 && mount.nfs 127.0.0.1:/ /mnt/parts -o vers=4.2 || $B poweroff -f
cd /mnt/parts
grep /mnt/parts /proc/mounts

small='-model mixture2 -method ais -replicates 6'
for k in 1 2 3; do $LOGZ part $k/3 $small -out small/ -workers 1; done
$LOGZ join small

# Two tasks of one part, of which the first is killed.
large='-model rbm-pcd-100 -method ais -replicates 8'
$LOGZ part 1/1 $large -out large/ -workers 1 &
until ls large/*.part; do sleep 1; done
$LOGZ part 1/1 $large -out large/ -workers 1
kill -9 $!
wait $!
$LOGZ part 1/1 $large -out large/ -workers 1
$LOGZ join large
$B poweroff -f
