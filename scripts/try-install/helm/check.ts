/**
 * Checks what Helm rendered: every object fits the type of its kind (no field missing, none that Kubernetes does not know), and what the
 * objects say of each other is true. Called by ways/helm.sh with the folder of the tools and the name of the values.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';

const [tools = '', name = ''] = process.argv.slice(2);
const root = path.join(import.meta.dirname, '..', '..', '..');

interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  // biome-ignore lint/suspicious/noExplicitAny: objects of all kinds; their types are checked by the compiler below
  spec: any;
}

const documents = parseAllDocuments(readFileSync(path.join(tools, `${name}.rendered.yaml`), 'utf8'));
for (const document of documents) assert.deepEqual(document.errors, []);
const objects = documents
  .map((document) => document.toJS() as KubernetesObject | null)
  .filter((object) => object !== null);
const ofKind = (kind: string): KubernetesObject[] => objects.filter((object) => object.kind === kind);

checkTypes();
checkReferences();
const counts = Object.entries(Object.groupBy(objects, ({ kind }) => kind)).map(
  ([kind, found]) => `${found!.length} ${kind}`,
);
console.log(`${name}: ${counts.join(', ')}`);

/** The compiler names fields that are missing, have another type, or do not exist. */
function checkTypes(): void {
  const lines = objects.map((object, at) => {
    const module = ['kubernetes-models', '@kubernetes-models/prometheus-operator']
      .map((one) => `${one}/${object.apiVersion.replace(/\.k8s\.io\//, '.k8s.io/')}/${object.kind}`)
      .find((one) => existsSync(path.join(tools, 'node_modules', `${one}.d.ts`)));
    assert.ok(module, `${object.apiVersion} ${object.kind} is not known`);
    return `import type { I${object.kind} as T${at} } from '${module}';\nexport const object${at}: T${at} = ${JSON.stringify(object, null, 2)};`;
  });
  const file = path.join(tools, `${name}.ts`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  const compiler = path.join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', ''];
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, ...options, file], {
    cwd: tools,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
}

function checkReferences(): void {
  const pods = ofKind('Deployment').map(({ spec }) => spec.template);
  const matches = (labels: Record<string, string>): unknown[] =>
    pods.filter((pod) => Object.entries(labels).every(([key, value]) => pod.metadata.labels[key] === value));
  for (const { metadata, spec } of ofKind('Deployment')) {
    assert.equal(matches(spec.selector.matchLabels).length, 1, `${metadata.name} selects its own pods alone`);
    const [container] = spec.template.spec.containers;
    const volumes = new Set(spec.template.spec.volumes.map((volume: { name: string }) => volume.name));
    for (const mount of container.volumeMounts) assert.ok(volumes.has(mount.name), mount.name);
    const names = container.env.map((variable: { name: string }) => variable.name);
    assert.equal(new Set(names).size, names.length, `${metadata.name} sets each variable once`);
    for (const { name: variable, value } of container.env) {
      assert.equal(typeof value, 'string', variable);
      assert.doesNotMatch(value, /^\d(\.\d+)?e\+\d+$/, variable);
    }
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      assert.equal(container[probe].httpGet.scheme, names.includes('TLS_CERT_FILE') ? 'HTTPS' : 'HTTP');
  }
  for (const { metadata, spec } of ofKind('Service')) {
    assert.equal(matches(spec.selector).length, 1, metadata.name);
    for (const { targetPort } of spec.ports) assert.equal(targetPort, 'http');
  }
  for (const { metadata, spec } of ofKind('PodDisruptionBudget'))
    assert.equal(matches(spec.selector.matchLabels).length, 1, metadata.name);
  for (const { spec } of ofKind('HorizontalPodAutoscaler')) {
    const target = ofKind('Deployment').find(({ metadata }) => metadata.name === spec.scaleTargetRef.name);
    assert.ok(target && target.spec.replicas === undefined, 'an autoscaler alone says how many pods there are');
    assert.ok(spec.metrics.length > 0 && spec.minReplicas <= spec.maxReplicas);
  }
  for (const { spec } of ofKind('Ingress')) {
    assert.notEqual(spec.ingressClassName, '', 'a class has a name, or is left out');
    for (const { http } of spec.rules)
      for (const { backend } of http.paths)
        assert.ok(
          ofKind('Service').some(({ metadata }) => metadata.name === backend.service.name),
          backend.service.name,
        );
  }
  for (const { spec } of ofKind('PodMonitor')) assert.equal(matches(spec.selector.matchLabels).length, pods.length);
}
