# The image, built from deploy/Containerfile, run as install.md says: its own user, read-only root, no capabilities.
started=$SECONDS
build_image deploy/Containerfile parley .
echo "built after $((SECONDS - started)) s: $(size_of parley), of which the base image $(size_of "$node_image")"
podman rm --force --ignore try-image >/dev/null
podman volume rm --force try-image >/dev/null
trap 'podman rm --force --time 60 try-image >/dev/null; podman volume rm --force try-image >/dev/null' EXIT
started=$SECONDS
podman run -d --name try-image --read-only --tmpfs /tmp --cap-drop all -p "127.0.0.1:$port:8080" -v try-image:/data \
  -e BOOTSTRAP_TOKEN="$token" parley >/dev/null
message_read "http://127.0.0.1:$port" || { podman logs try-image | tail -30; exit 1; }
podman healthcheck run try-image && echo 'the health check passes'
podman exec try-image sh -c 'id; touch /app/x 2>&1 || true; parley doctor || true'
podman exec try-image parley backup /data/backup.tar.zst
podman stop --time 60 try-image >/dev/null
echo "stopped with exit code $(podman inspect --format '{{.State.ExitCode}}' try-image)"
started=$SECONDS
podman start try-image >/dev/null
message_read "http://127.0.0.1:$port"
