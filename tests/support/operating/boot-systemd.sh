#!/bin/sh
# Runs systemd as process 1 of its own namespaces, with a copy of this machine's file system that vanishes with it and
# only the units of one folder. Nothing of the machine changes: its disks are lower layers of overlays, kernel settings
# are read-only, and its cgroups are below one of their own.
#
# boot-systemd.sh STAGE UNITS PROJECT USER
#   STAGE    an empty folder in which everything is mounted
#   UNITS    the folder of the units
#   PROJECT  the project's folder, which appears as /opt/our-love-story
#   USER     the user to create, who may write in /opt/our-love-story, /var/lib/our-love-story and /mnt/backup
set -eu
stage=$1 units=$2 project=$3 user=$4

if [ -z "${BOOT_INSIDE:-}" ]; then
  for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/systemd; do
    [ -f "$hierarchy/cgroup.procs" ] || continue
    mkdir "$hierarchy/our-love-story-$$"
    echo $$ > "$hierarchy/our-love-story-$$/cgroup.procs"
  done
  BOOT_INSIDE=yes exec unshare --mount --pid --fork --kill-child --uts --ipc --cgroup sh "$0" "$@"
fi

mount --make-rprivate /
mount -t tmpfs tmpfs "$stage"
root=$stage/root
mkdir -p "$root" "$stage/upper" "$stage/work" "$stage/app-upper/.cache/npm" "$stage/app-work"
mount -t overlay overlay -o "lowerdir=/,upperdir=$stage/upper,workdir=$stage/work" "$root"

# Its user and the folders that docs/operating.md says to create.
echo "$user:x:4242:4242::/nonexistent:/usr/sbin/nologin" >> "$root/etc/passwd"
echo "$user:x:4242:" >> "$root/etc/group"
mkdir -p "$root/opt/our-love-story" "$root/var/lib/our-love-story" "$root/mnt/backup"
chown -R 4242:4242 "$root/var/lib/our-love-story" "$root/mnt/backup" "$stage/app-upper"
mount -t overlay overlay -o "lowerdir=$project,upperdir=$stage/app-upper,workdir=$stage/app-work" "$root/opt/our-love-story"
install -m 0600 "$units/our-love-story.env" "$root/etc/our-love-story.env"

mount -t proc proc "$root/proc"
mount --bind "$root/proc/sys" "$root/proc/sys"
mount -o remount,bind,ro "$root/proc/sys"
mount --rbind /dev "$root/dev"
mount --bind /dev/null "$root/dev/console"
mount -t sysfs -o ro sysfs "$root/sys"
if [ -f /sys/fs/cgroup/cgroup.procs ]; then
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
else
  mount -t tmpfs tmpfs "$root/sys/fs/cgroup"
  mkdir "$root/sys/fs/cgroup/systemd" "$root/sys/fs/cgroup/unified"
  mount -t cgroup -o none,name=systemd cgroup "$root/sys/fs/cgroup/systemd"
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup/unified"
fi
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mkdir "$root/run/units" "$root/run/old"
cp -R "$units/." "$root/run/units/"

cd "$root"
pivot_root . run/old
umount -l /run/old
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin container=our-love-story-test \
  SYSTEMD_UNIT_PATH=/run/units SYSTEMD_GENERATOR_PATH=/nonexistent SYSTEMD_LOG_TARGET=null \
  /lib/systemd/systemd --system --unit=started.target --show-status=no
