#!/bin/sh
# Backs up every day, as the service "backup" of compose.yml: a dump of the database, of which the last BACKUPS_KEPT stay, and
# the photos, which never change and are copied once. `backup.sh once` does it now and ends.
set -eu
to=${BACKUPS:-/backups} photos=${IMAGES:-/images} kept=${BACKUPS_KEPT:-14}

backup() {
  dump="$to/hapax-$(date -u +%Y-%m-%dT%H-%M-%S-%N).dump"
  # The name appears once the dump is whole.
  pg_dump --format=custom --no-owner --file="$dump.unfinished"
  mv "$dump.unfinished" "$dump"
  # After the dump, so that every photo that it names is there.
  mkdir -p "$to/images"
  cp -R -n "$photos/." "$to/images/"
  psql --quiet --command="insert into last_backup (id) values (true) on conflict (id) do update set finished_at = now()"
  ls "$to"/hapax-*.dump | sort -r | tail -n "+$((kept + 1))" | while read -r old; do rm "$old"; done
  echo "Backed up to $dump"
}

if [ "${1:-}" = once ]; then
  backup
  exit
fi
trap 'exit 0' TERM INT
while :; do
  # A failed one is tried again in an hour. Hapax warns its owner once the last is two days old.
  if (backup); then pause=86400; else pause=3600; fi
  sleep "$pause" &
  wait $!
done
