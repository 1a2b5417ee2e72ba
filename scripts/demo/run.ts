import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { serve } from '../../src/serve.ts';
import { type Api, type Json, makeApi } from './api.ts';
import { agents } from './cast.ts';
import { seed } from './seed.ts';
import { portOf, type Receiver, startReceiver } from './webhooks.ts';

type Env = Record<string, string | undefined>;

/** Who signs in. Everybody knows these words, so the demo listens on this machine only. */
const user = { username: 'demo', password: 'orchard-and-vale' };
const loopback = ['127.0.0.1', '::1', 'localhost'];

/** A reason not to start, told without a stack. */
export class DemoError extends Error {}

/** Starts Parley with a data directory of its own, fills it if that was not done before, and says where to look. */
export async function runDemo(env: Env): Promise<void> {
  const host = env['HOST'] || '127.0.0.1';
  if (!loopback.includes(host)) {
    throw new DemoError(`The demo has a known password, so it listens on this machine only: leave HOST=${host} out.`);
  }
  const directory = resolve(env['DATA_DIR'] || 'data/demo');
  const token = await tokenOf(directory);
  const port = env['PORT'] === '0' ? await freePort() : Number(env['PORT'] || 8080);
  await serve({
    LOG_LEVEL: 'warn',
    ...env,
    HOST: host,
    PORT: String(port),
    DATA_DIR: directory,
    BOOTSTRAP_TOKEN: token,
    // The database of the demo is in its directory, whatever else this machine has; the CRM is in this process.
    DATABASE_URL: '',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  const url = `http://${host === '::1' ? '[::1]' : host}:${port}`;
  const api = makeApi(url, token);
  await seed({ url, token, receiver: await receiverOf(api), tell: (line) => console.log(`  ${line}`) });
  await ensureUser(api);
  console.log(whereToLook(url, token));
}

/** The token of this demo, made at its first start. The file also says whose data this is. */
async function tokenOf(directory: string): Promise<string> {
  const file = join(directory, 'demo-token');
  const found = await readFile(file, 'utf8').catch(() => undefined);
  if (found) return found;
  const isTaken = await access(join(directory, 'postgres')).then(
    () => true,
    () => false,
  );
  if (isTaken) throw new DemoError(`${directory} has data that is not the demo's. Set DATA_DIR to another directory.`);
  await mkdir(directory, { recursive: true });
  const token = randomBytes(20).toString('hex');
  await writeFile(file, token, { mode: 0o600 });
  return token;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Where the webhooks of an earlier run lead; while another program has that port, deliveries fail. */
async function receiverOf(api: Api): Promise<Receiver> {
  return startReceiver(await portOf(api)).catch(() => startReceiver());
}

async function ensureUser(api: Api): Promise<void> {
  const { results } = await api.get('/v2/users/');
  if (results.some(({ username }: Json) => username === user.username)) return;
  await api.post('/v2/users/', { ...user, scopes: ['read', 'write'] });
}

const whereToLook = (url: string, token: string): string => `
Orchard & Vale is open.

  Console   ${url}/console/
  User      ${user.username}, password ${user.password}
  A phone   ${url}/console/phone/${agents[0].phone.replace(/\D/g, '')} (${agents[0].name}'s)
  Token     ${token}

What is there: docs/demo.md. Ctrl-C stops it; what happened is kept.
`;
