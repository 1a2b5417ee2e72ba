import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { missingPeers } from '../../kit/peers.ts';

const cwd = fileURLToPath(new URL('../../../deploy/prometheus/', import.meta.url));
const promtool = (...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
};

describe('promtool', { skip: missingPeers(['promtool', '--version']) }, () => {
  it('takes the configuration and the rules', () => {
    assert.match(promtool('check', 'config', 'prometheus.yml'), /1 rule files found/);
    assert.match(promtool('check', 'rules', 'alerts.yml'), /\d+ rules found/);
  });

  it('can read every query of the dashboards', async (t) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-promtool-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const dashboards = path.join(cwd, '..', 'grafana');
    const files = (await readdir(dashboards)).filter((file) => file.endsWith('.json'));
    const texts = await Promise.all(files.map((file) => readFile(path.join(dashboards, file), 'utf8')));
    const queries = texts.flatMap((text) =>
      (JSON.parse(text).panels as { targets: { expr: string }[] }[]).flatMap(({ targets }) => targets),
    );
    // What Grafana fills in.
    const filled = queries.map(({ expr }) => expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m'));
    const rules = filled.map((expr, at) => ({ record: `query_${at}`, expr }));
    // JSON is YAML, too.
    await writeFile(path.join(folder, 'rules.yml'), JSON.stringify({ groups: [{ name: 'queries', rules }] }));
    assert.ok(rules.length > 40, String(rules.length));
    assert.match(promtool('check', 'rules', path.join(folder, 'rules.yml')), new RegExp(`${rules.length} rules found`));
  });

  it('finds that every alert fires when it should, and not otherwise', () => {
    assert.match(promtool('test', 'rules', 'alerts.test.yml'), /SUCCESS/);
  });
});
