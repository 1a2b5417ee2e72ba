# The compose file for one host: Parley, PostgreSQL, the store and Prometheus, each from an image made here; Grafana cannot be had that way.
started=$SECONDS
podman image exists parley || build_image deploy/Containerfile parley .
echo "parley built after $((SECONDS - started)) s"
for pair in postgres=docker.io/library/postgres:18 store=docker.io/minio/minio:latest prometheus=docker.io/prom/prometheus:latest; do
  podman image exists "${pair#*=}" ||
    build_image "$here/stand-ins/${pair%%=*}.Containerfile" "${pair#*=}" --build-arg "NODE_IMAGE=$node_image" .
done
podman tag docker.io/minio/minio:latest docker.io/minio/mc:latest
# A copy, as podman-compose reads .env beside the file, and yours may be there. The keys are those of the store from npm.
rm -rf "$work/deploy" && cp -r deploy "$work/deploy" && cd "$work/deploy/compose"
sed -e "s/^BOOTSTRAP_TOKEN=.*/&$token/" -e 's/^S3_.*/&S3RVER/' -e 's/^[A-Z_]*=$/&a-value-to-try-it-with-0123456789abcdef/' .env.example > .env
compose() { podman-compose -f one-host.yml "$@"; }
trap 'compose down --volumes >/dev/null 2>&1' EXIT
# What an earlier try that was cut off left behind.
compose down --volumes >/dev/null 2>&1 || true
started=$SECONDS
compose up -d parley prometheus >"$work/compose.log" 2>&1 || { tail -20 "$work/compose.log"; exit 1; }
message_read http://127.0.0.1:8080 || { compose logs parley | tail -30; exit 1; }
compose exec -T parley parley doctor || true
# What Prometheus says of its one target, from within, as its port is not published.
up() {
  local answer
  answer=$(compose exec -T parley node -e "fetch('http://prometheus:9090/api/v1/query?query=up').then((answer) => answer.text()).then(console.log)")
  [[ $answer == *'"1"]'* ]]
}
until_true 180 'Prometheus to read the metrics' up
echo 'Prometheus reads the metrics with the token'
