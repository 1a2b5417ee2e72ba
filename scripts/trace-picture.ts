/**
 * The picture of a trace in the documentation, drawn from a real one: starts Parley and a simulated Cloud API, sends a message, collects
 * its spans over OTLP, and writes `docs/images/trace.svg` (or `--out`).
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCloudSimulator } from '../simulators/cloud-api/index.ts';
import { type CollectedSpan, startCollector } from '../test/monitoring/collector.ts';
import { drawTrace } from './trace-picture/draw.ts';

const root = path.join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: { out: { type: 'string', default: path.join(root, 'docs', 'images', 'trace.svg') } },
});
const [number, person, token, verifyToken] = [
  '+34900111222',
  '+34600001000',
  'a-token-for-a-picture',
  'a token of our own',
];
/** What takes seconds on the platform, and would make all else too small to be seen. */
const speed = 40;
const patienceMs = 60_000;

const collector = await startCollector();
const simulator = await startCloudSimulator({ speed, phone: number });
const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-trace-'));
const port = 18_000 + (process.pid % 1000);
const url = `http://127.0.0.1:${port}`;
const server = spawn(process.execPath, [path.join(root, 'src', 'main.ts')], {
  env: {
    ...process.env,
    PORT: String(port),
    PROCESSES: '1',
    SIP_PORT: '0',
    DATA_DIR: path.join(directory, 'data'),
    BOOTSTRAP_TOKEN: token,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    CLOUD_API_URL: simulator.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    LOG_LEVEL: 'warn',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const ended = new Promise((resolve) => server.once('exit', resolve));

async function call(method: string, address: string, body?: object) {
  const response = await fetch(`${url}${address}`, {
    method,
    headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });
  const answer = (await response.json()) as { uuid: string; webhook_path: string; results: unknown[] };
  if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const endMs = performance.now() + patienceMs; performance.now() < endMs; await sleep(50)) {
    const seen = await look().catch(() => undefined);
    if (seen) return seen;
  }
  throw new Error(`In vain waited for ${what}.`);
}

async function traceOne(): Promise<CollectedSpan[]> {
  await until('the server', () => fetch(`${url}/readyz`).then(({ ok }) => ok || undefined));
  const account = await call('POST', '/v2/chatapp/accounts/', {
    chatapp_number: number,
    carrier: 'cloud-api',
    phone_number_id: simulator.numberId,
    business_account_id: simulator.accountId,
    app_id: '1000000000000001',
    access_token: simulator.token,
    app_secret: simulator.appSecret,
    verify_token: verifyToken,
  });
  await simulator.setWebhook(`${url}${account.webhook_path}`, verifyToken);
  // A person who has written may be sent a text.
  simulator.person(person!).writes('Hello');
  await until('what was written', async () => {
    const { results } = await call('GET', '/v2/chatapp/messages/?direction=INBOUND');
    return results.length > 0 || undefined;
  });
  const send = () =>
    call('POST', '/v2/chatapp/messages/', {
      chatapp_number: number,
      to_chatapp_number: person,
      type: 'TEXT',
      text: { body: 'The house is still for sale.' },
      callback_url: `${collector.url}/callback`,
    });
  const traceOf = ({ uuid }: { uuid: string }) =>
    until('the whole trace', async () => {
      const spans = collector.of(uuid);
      const webhooks = spans.filter(({ name }) => name.startsWith('webhook')).length;
      return webhooks === 3 && spans.some(({ name }) => name.endsWith('read')) ? spans : undefined;
    });
  // The first takes longer, as in any program: statements are planned, connections opened.
  for (let count = 0; count < 5; count++) await traceOf(await send());
  return traceOf(await send());
}

try {
  await writeFile(values.out, drawTrace(await traceOne()));
  console.log(`${values.out} written.`);
} finally {
  server.kill('SIGTERM');
  await ended;
  await simulator.close();
  await collector.close();
  await rm(directory, { recursive: true, force: true });
}
