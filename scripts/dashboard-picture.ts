/**
 * The Grafana dashboards as pictures for the documentation, without Grafana: starts Parley with some load in the sandbox and a Prometheus
 * that scrapes it, puts the queries of every panel to that, and draws what comes back where the panel is. Says which panels stayed empty.
 * Writes `docs/images/dashboard-*.svg` (`--out`), after `--minutes` of load. Needs Debian's prometheus.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { drawDashboard } from './dashboard-picture/draw.ts';
import { makeLoad } from './dashboard-picture/load.ts';
import { readDashboard } from './dashboard-picture/panels.ts';

const root = path.join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: path.join(root, 'docs', 'images') },
    minutes: { type: 'string', default: '6' },
  },
});
const minutes = Number(values.minutes);
const stepS = 5;
const token = 'a-token-for-a-picture';
const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-dashboard-'));
const port = 18_000 + (process.pid % 1000);
const [url, prometheus] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port + 1000}`];
const children: ChildProcess[] = [];

function start(command: string, args: string[], env: Record<string, string> = {}): void {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
  child.once('error', (error) => console.error(`${command}: ${error.message}`));
  children.push(child);
}

async function call(method: string, address: string, body?: object): Promise<Record<string, string>> {
  const response = await fetch(`${url}${address}`, {
    method,
    headers: { authorization: `Token ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const answer = (await response.json()) as Record<string, string>;
  if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

async function waitFor(address: string): Promise<void> {
  for (const endMs = performance.now() + 60_000; performance.now() < endMs; await sleep(100)) {
    const isThere = await fetch(address, { signal: AbortSignal.timeout(5000) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return;
  }
  throw new Error(`In vain waited for ${address}.`);
}

async function startAll(): Promise<void> {
  start(process.execPath, [path.join(root, 'src', 'main.ts')], {
    PORT: String(port),
    PROCESSES: '1',
    SIP_PORT: '0',
    DATA_DIR: path.join(directory, 'data'),
    BOOTSTRAP_TOKEN: token,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    SMPP_ALLOW: '127.0.0.1',
    LOG_LEVEL: 'error',
  });
  const config = path.join(directory, 'prometheus.yml');
  const scrape = { job_name: 'parley', static_configs: [{ targets: [`127.0.0.1:${port}`] }] };
  // JSON is YAML.
  await writeFile(config, JSON.stringify({ global: { scrape_interval: `${stepS}s` }, scrape_configs: [scrape] }));
  const data = path.join(directory, 'prometheus');
  const listen = `--web.listen-address=127.0.0.1:${port + 1000}`;
  start('prometheus', [`--config.file=${config}`, `--storage.tsdb.path=${data}`, listen, '--log.level=error']);
  await Promise.all([waitFor(`${url}/readyz`), waitFor(`${prometheus}/-/ready`)]);
}

async function drawAll(): Promise<void> {
  const endS = Math.floor(Date.now() / 1000 / stepS) * stepS;
  const range = { startS: endS - minutes * 60 + 15, endS, stepS };
  for (const file of globSync('deploy/grafana/*.json', { cwd: root })) {
    const { title, panels } = await readDashboard(path.join(root, file), prometheus, range);
    const picture = path.join(values.out, `dashboard-${path.basename(file, '.json').replace(/^parley-/, '')}.svg`);
    await writeFile(picture, drawDashboard(title, panels, range));
    const empty = panels.filter(({ series }) => series.length === 0).map((panel) => panel.title);
    console.log(`${picture}: ${panels.length} panels; without data: ${empty.join(', ') || 'none'}`);
  }
}

try {
  await startAll();
  await makeLoad(url, call, minutes);
  await drawAll();
} finally {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map((child) => child.exitCode ?? new Promise((resolve) => child.once('exit', resolve))));
  await rm(directory, { recursive: true, force: true });
}
