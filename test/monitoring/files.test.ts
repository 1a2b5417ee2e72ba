// The dashboards and alert rules in deploy/ name what the server really shows.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { readMetrics, type Shown } from './read-metrics.ts';

const folder = new URL('../../deploy/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');
const dashboards = readdirSync(new URL('grafana/', folder)).filter((file) => file.endsWith('.json'));

interface Panel {
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets: { expr: string }[];
}
const panelsOf = (dashboard: string): Panel[] => JSON.parse(read(`grafana/${dashboard}`)).panels;

/** Metrics that Prometheus makes by itself. */
const ofPrometheus = new Set(['up']);

/** The metrics that an expression names, without the parts of histograms. */
const namesIn = (expression: string): string[] =>
  [...expression.matchAll(/\b((?:parley|nodejs|process)_\w+)/g)].map(([, name]) => name!);

describe('dashboards and alert rules', () => {
  let app: TestApp;
  let shown: Shown;
  before(async () => {
    app = await startTestApp();
    shown = await readMetrics(app);
  });
  after(() => app.close());

  const unknownIn = (expression: string): string[] =>
    namesIn(expression).filter((name) => {
      const whole = name.replace(/_(bucket|sum|count)$/, '');
      return !(shown.types.has(name) || shown.types.get(whole) === 'histogram' || ofPrometheus.has(name));
    });

  for (const dashboard of dashboards) {
    it(`${dashboard} shows metrics that the server has, in panels that do not overlap`, () => {
      const panels = panelsOf(dashboard);
      assert.ok(panels.length > 5);
      for (const { title, targets } of panels) {
        assert.ok(targets.length > 0, title);
        for (const { expr } of targets) assert.deepEqual(unknownIn(expr), [], title);
      }
      const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
      );
      assert.equal(new Set(cells).size, cells.length);
    });
  }

  it('the rules name metrics that the server has', () => {
    const rules = read('prometheus/alerts.yml');
    assert.ok(namesIn(rules).length > 20);
    assert.deepEqual(unknownIn(rules), []);
  });

  it('the documentation lists every metric of the server with its type, and no other', () => {
    const page = readFileSync(new URL('../../docs/operations/monitoring.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/^\| `(parley_\w+)` \| (\w+) \|/gm)].map(([, name, type]) => `${name} ${type}`);
    const real = [...shown.types]
      .filter(([name]) => name.startsWith('parley_'))
      .map(([name, type]) => `${name} ${type}`);
    assert.deepEqual(listed.toSorted(), real.toSorted());
  });

  it('every alert is tested to fire, and the documentation says what to do', () => {
    const page = readFileSync(new URL('../../docs/operations/monitoring.md', import.meta.url), 'utf8');
    const alerts = [...read('prometheus/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
    assert.ok(alerts.length > 20);
    const tests = read('prometheus/alerts.test.yml');
    assert.deepEqual(
      alerts.filter((alert) => !tests.includes(`alertname: ${alert}\n        exp_alerts:\n          - exp_labels:`)),
      [],
    );
    const explained = [...page.matchAll(/^\| `(Parley\w+)` \|/gm)].map(([, name]) => name!);
    assert.deepEqual(explained.toSorted(), alerts.toSorted());
  });
});
