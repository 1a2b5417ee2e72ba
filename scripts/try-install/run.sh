#!/usr/bin/env bash
# Tries the ways of installing that docs/operations/install.md describes, each from an empty Debian to a message that is read:
#   sudo bash scripts/try-install/run.sh [image] [compose] [systemd] [package] [helm]
# Needs Debian 12 or newer as root, with Debian's packages and npm's, and no registry of images: what the Containerfile and the compose
# file name is made of Debian's packages here, in a storage of its own (TRY_DIR). Takes minutes and some gigabytes, so no test runs it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
here=$PWD/scripts/try-install
work=${TRY_DIR:-/var/tmp/parley-try}
# Where servers are reached. The compose file has its port from its own settings.
port=${TRY_PORT:-18080}
token=a-token-to-try-it-with
mkdir -p "$work"

# shellcheck source=scripts/try-install/base.sh
source "$here/base.sh"
# shellcheck source=scripts/try-install/message.sh
source "$here/message.sh"

[[ $(id -u) == 0 ]] || { echo 'Run this as root: it makes file systems of Debian.' >&2; exit 1; }
ways=("$@")
((${#ways[@]} > 0)) || ways=(image compose systemd package helm)
for way in "${ways[@]}"; do
  [[ -f $here/ways/$way.sh ]] || { echo "There is no way called $way." >&2; exit 1; }
done

install_tools
make_base
for way in "${ways[@]}"; do
  echo "== $way"
  # Each in a shell of its own: what fails or stays behind concerns it alone.
  set +e
  (
    set -e
    source "$here/ways/$way.sh"
  )
  status=$?
  set -e
  ((status == 0)) || { echo "$way: FAILED"; failed=1; }
done
exit "${failed:-0}"
