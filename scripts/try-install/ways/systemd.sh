# The units, installed by the very commands of install.md in a Debian that systemd started.
started=$SECONDS
npm run --silent package
echo "package built after $((SECONDS - started)) s"
build_image "$here/stand-ins/systemd.Containerfile" try-systemd --build-arg "NODE_IMAGE=$node_image" .
podman rm --force --ignore try-systemd >/dev/null
trap 'podman rm --force --time 60 try-systemd >/dev/null' EXIT
started=$SECONDS
podman run -d --name try-systemd --systemd=always --privileged --network host -v "$PWD:/parley:ro" -w /parley try-systemd >/dev/null
until_true 60 systemd podman exec try-systemd sh -c 'systemctl is-system-running | grep -E "running|degraded"'
# The package is there already, whoever runs this is root, and what the last command shows has yet to be written.
commands=$(awk '/^## /{ inside = $0 == "## systemd" } inside && /^```sh/ { taken = 1; next } /^```/ { if (taken) exit } taken' docs/operations/install.md)
{
  echo 'set -eu; npm() { :; }; sudo() { "$@"; }'
  echo "printf '%s\n' PORT=$port SIP_PORT=0 BOOTSTRAP_TOKEN=$token > /tmp/settings"
  grep -v '^sudo cat ' <<<"${commands//.env.example//tmp/settings}"
} | podman exec -i try-systemd bash
inside() { podman exec try-systemd "$@"; }
message_read "http://127.0.0.1:$port" || { inside journalctl --no-pager -u parley | tail -n 30; exit 1; }
inside sh -c 'ps -o user= -p "$(systemctl show --property MainPID --value parley)" 2>/dev/null || stat -c %U "/proc/$(systemctl show --property MainPID --value parley)"'
echo "$(inside wc -l /var/lib/parley/first-secrets) lines"
inside systemd-analyze security --no-pager parley | tail -n 1
inside systemctl start parley-backup
inside ls -l /var/backups/parley
started=$SECONDS
inside systemctl restart parley
message_read "http://127.0.0.1:$port"
inside systemctl stop parley
inside systemctl show --property Result,ExecMainStatus parley
