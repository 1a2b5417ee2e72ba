# The empty Debian with Node.js that all ways start from, and the tools to make it. Sourced by run.sh.

# An image that has the name of the one in the Containerfile, in a storage that nothing else uses.
node_image=$(sed -n 's/^ARG NODE_IMAGE=//p' deploy/Containerfile)
export CONTAINERS_STORAGE_CONF=$work/storage.conf CONTAINERS_CONF=$work/containers.conf

install_tools() {
  export DEBIAN_FRONTEND=noninteractive
  local missing=()
  for tool in podman mmdebstrap npm curl podman-compose; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  if ((${#missing[@]} > 0)); then
    echo "Installing ${missing[*]}…"
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "${missing[@]}" runc conmon netavark aardvark-dns iptables >/dev/null
  fi
  cat > "$CONTAINERS_STORAGE_CONF" <<END
[storage]
driver = "overlay"
graphroot = "$work/storage"
runroot = "$work/run"
END
  # Works on machines that systemd did not start, and with any layout of control groups.
  cat > "$CONTAINERS_CONF" <<END
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "trial"
[engine.runtimes]
trial = ["$here/runtime.sh"]
[network]
network_backend = "netavark"
END
}

# Debian's smallest system, the Node.js that package.json names and npm, both from npm; tagged like the usual base image.
make_base() {
  podman image exists "$node_image" && return
  local started=$SECONDS cpu root=$work/base
  case $(dpkg --print-architecture) in
    amd64) cpu=x64 ;;
    *) cpu=$(dpkg --print-architecture) ;;
  esac
  rm -rf "$root" "$work/npm" && mkdir -p "$work/npm"
  # Authorities that this machine trusts, for networks that have some of their own.
  mmdebstrap --quiet --variant=minbase --include=ca-certificates \
    --customize-hook='mkdir -p "$1/usr/local/share/ca-certificates"' \
    --customize-hook='find /usr/local/share/ca-certificates -name "*.crt" -exec cp {} "$1/usr/local/share/ca-certificates/" \;' \
    --customize-hook='chroot "$1" update-ca-certificates >/dev/null' \
    bookworm "$root"
  local version
  version=$(node -p "require('./package.json').optionalDependencies['node-linux-$cpu']")
  npm pack --silent --pack-destination "$work/npm" "node-linux-$cpu@$version" npm@11 >/dev/null
  tar -xzf "$work/npm/node-linux-$cpu-$version.tgz" -C "$root/usr/local" --strip-components=1 package/bin
  mkdir -p "$root/usr/local/lib/node_modules/npm" "$root/usr/local/etc"
  tar -xzf "$work"/npm/npm-11*.tgz -C "$root/usr/local/lib/node_modules/npm" --strip-components=1
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
  chmod 0755 "$root/usr/local/bin/node" "$root"/usr/local/lib/node_modules/npm/bin/*.js
  # Node.js has authorities of its own; npm takes Debian's here.
  echo 'cafile=/etc/ssl/certs/ca-certificates.crt' > "$root/usr/local/etc/npmrc"
  tar -C "$root" -c . | podman import --quiet \
    --change 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' --change 'CMD ["node"]' - "$node_image" >/dev/null
  rm -rf "$root"
  echo "$node_image made of Debian's and npm's packages: $((SECONDS - started)) s, $(size_of "$node_image")"
}

size_of() {
  podman image inspect --format '{{.Size}}' "$1" | awk '{ printf "%.0f MB", $1 / 1e6 }'
}

# Builds what the second argument names from a Containerfile, without looking for images elsewhere. Docker's format, as OCI's has no health check.
build_image() {
  local file=$1 name=$2
  shift 2
  podman build --quiet --pull=never --format docker --network host -f "$file" -t "$name" "$@" >/dev/null
}
