# The npm package: installed by another user in an empty directory of an empty Debian, and started.
started=$SECONDS
npm run --silent package
(cd dist/package && npm pack --silent --pack-destination "$work" >/dev/null)
tarball=$(echo "$work"/parley-server-*.tgz)
echo "built after $((SECONDS - started)) s: $(du -h "$tarball" | cut -f1) as a tarball"
podman rm --force --ignore try-package >/dev/null
trap 'podman rm --force --time 60 try-package >/dev/null' EXIT
started=$SECONDS
podman run -d --name try-package --network host --user 1000:1000 --tmpfs /home/somebody:mode=1777,exec --workdir /home/somebody \
  -v "$tarball:/parley-server.tgz:ro" -e HOME=/home/somebody -e PORT="$port" -e SIP_PORT=0 -e BOOTSTRAP_TOKEN="$token" \
  "$node_image" sh -c 'npm install --no-audit --no-fund /parley-server.tgz && exec npx parley-server' >/dev/null
message_read "http://127.0.0.1:$port" || { podman logs try-package | tail -30; exit 1; }
podman exec try-package sh -c 'echo "installed: $(du -sm --exclude=data . | cut -f1) MB"; npx parley doctor || true'
