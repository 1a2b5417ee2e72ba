// What is in deploy/: files that parse, settings that Parley knows, values that the chart has.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { roles, Settings } from '../../src/platform/settings.ts';

const root = path.join(import.meta.dirname, '..', '..', 'deploy');
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');
const known = new Set([...Object.keys(Settings.properties), 'NODE_ENV', 'NODE_OPTIONS', 'TMPDIR']);
const isKnown = (name: string): boolean => known.has(name) || name.startsWith('AWS_');

/** What a value of the chart is, by its path; undefined: there is none. */
function valueAt(values: unknown, place: string[]): unknown {
  return place.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], values);
}

describe('deploy/', () => {
  it('all YAML outside of the templates parses', () => {
    const files = globSync('**/*.{yml,yaml}', { cwd: root }).filter((file) => !file.includes('templates'));
    assert.ok(files.length >= 4, files.join());
    for (const file of files) {
      for (const document of parseAllDocuments(read(file), { merge: true }))
        assert.deepEqual(document.errors, [], file);
    }
  });

  for (const file of ['compose/one-host.yml', 'compose/many-hosts.yml']) {
    it(`${file}: servers have settings and roles that exist, a read-only root and no capabilities`, () => {
      const { services, volumes, configs = {} } = parse(read(file), { merge: true });
      const servers = Object.values<Record<string, unknown>>(services).filter(({ image }) => image === 'parley:latest');
      assert.ok(servers.length > 0);
      for (const { environment, read_only, cap_drop } of servers) {
        const settings = environment as Record<string, string>;
        assert.deepEqual(
          Object.keys(settings).filter((name) => !isKnown(name)),
          [],
        );
        for (const role of (settings['ROLES'] ?? 'api').split(','))
          assert.ok(
            roles.some((one) => one === role),
            role,
          );
        assert.deepEqual([read_only, cap_drop], [true, ['ALL']]);
      }
      for (const service of Object.values<Record<string, unknown>>(services)) {
        for (const volume of (service['volumes'] as string[] | undefined) ?? []) {
          const [source = ''] = volume.split(':');
          if (!source.startsWith('.')) assert.ok(source in volumes, source);
        }
        for (const { source } of (service['configs'] as { source: string }[] | undefined) ?? []) {
          assert.ok(source in configs, source);
        }
      }
    });
  }

  it('compose/.env.example names every variable that one-host.yml insists on', () => {
    const named = new Set(read('compose/.env.example').match(/^[A-Z0-9_]+(?==)/gm));
    const needed = new Set([...read('compose/one-host.yml').matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name]) => name!));
    assert.deepEqual(
      [...needed].filter((name) => !named.has(name)),
      [],
    );
  });

  it('Helm: every value that a template uses is in values.yaml, and every role has roles that exist', () => {
    const values = parse(read('helm/parley/values.yaml'));
    const templates = globSync('helm/parley/templates/*', { cwd: root });
    assert.ok(templates.length >= 6);
    let used = 0;
    for (const file of templates) {
      const text = read(file);
      for (const [, place = ''] of text.matchAll(/\$?\.Values\.([A-Za-z.]+)/g)) {
        used++;
        assert.notEqual(valueAt(values, place.split('.')), undefined, `${file}: ${place}`);
      }
      for (const [, place = ''] of text.matchAll(/\$role\.([A-Za-z.]+)/g)) {
        const isThere = Object.values(values.roles).some((role) => valueAt(role, place.split('.')) !== undefined);
        assert.ok(isThere, `${file}: ${place}`);
      }
      const [opened, closed] = [/\{\{-? *(?:if|range|with|define)\b/g, /\{\{-? *end\b/g].map(
        (word) => text.match(word)?.length ?? 0,
      );
      assert.equal(opened, closed, `${file}: every block has an end`);
    }
    assert.ok(used > 15);
    for (const role of Object.values<{ roles: string }>(values.roles)) {
      for (const name of role.roles.split(','))
        assert.ok(
          roles.some((one) => one === name),
          name,
        );
    }
    assert.equal(
      parse(read('helm/parley/Chart.yaml')).appVersion,
      JSON.parse(readFileSync(path.join(root, '..', 'package.json'), 'utf8')).version,
    );
  });

  it('the image and the units have settings that exist', () => {
    const image = read('Containerfile');
    const [, block = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(image) ?? [];
    const names = [
      ...[...block.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name!),
      ...[...read('systemd/parley.service').matchAll(/^Environment=([A-Z_]+)=/gm)].map(([, name]) => name!),
    ];
    assert.ok(names.length >= 8);
    assert.deepEqual(
      names.filter((name) => !isKnown(name)),
      [],
    );
    assert.match(image, /^USER 10001:10001$/m);
    assert.match(image, /^HEALTHCHECK /m);
  });

  const analyze = spawnSync('systemd-analyze', ['--version']).status === 0;
  it('systemd: the units are right, and the service is exposed to little', {
    skip: !analyze && 'needs systemd-analyze',
  }, () => {
    const unit = path.join(root, 'systemd', 'parley.service');
    const verified = spawnSync('systemd-analyze', ['verify', ...globSync(path.join(root, 'systemd', '*'))], {
      encoding: 'utf8',
    });
    // Programs of the units may be elsewhere on this machine.
    const complaints = verified.stderr
      .split('\n')
      .filter((line) => line !== '' && !/is not executable|No such file/.test(line));
    assert.deepEqual(complaints, []);
    const security = spawnSync(
      'systemd-analyze',
      ['security', '--offline=true', '--no-pager', '--threshold=25', unit],
      { encoding: 'utf8' },
    );
    assert.equal(security.status, 0, security.stdout.split('\n').slice(-3).join('\n'));
  });
});
