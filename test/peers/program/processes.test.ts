// One server in several processes: they share the port, the limits and the metrics, and come and go without it.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase } from '../../kit/database.ts';
import { killTree, type Parley, processesOf, signalIfThere, startParley } from '../../kit/program/parley-process.ts';
import { until } from '../../kit/until.ts';

const linuxOnly = { skip: process.platform === 'linux' ? false : 'finds processes in /proc', timeout: 1_800_000 };
const token = 'a-token-for-tests-of-several-processes';
const count = 3;
/** Longer than any answer takes on the slowest machine. */
const answerMs = 120_000;

interface Asked {
  /** 0: the connection broke. */
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of every shape
  body: any;
}

/** Each by a connection of its own, so that the processes take turns. */
const ask = (url: string, method: string, target: string, body?: unknown, as = token): Promise<Asked> =>
  new Promise((resolve) => {
    const headers = { authorization: `Token ${as}`, 'content-type': 'application/json' };
    const request = http.request(new URL(target, url), { method, headers, agent: false }, async (answer) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of answer) chunks.push(chunk);
        const text = Buffer.concat(chunks).toString();
        const isJson = String(answer.headers['content-type']).includes('json');
        resolve({ status: answer.statusCode!, body: isJson ? JSON.parse(text) : text });
      } catch {
        resolve({ status: 0, body: '' });
      }
    });
    request.once('error', () => resolve({ status: 0, body: '' }));
    request.setTimeout(answerMs, () => request.destroy(new Error('No answer')));
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });

/** How many sockets listen on a port of this machine, by the kernel's own list. */
async function countListeners(port: number): Promise<number> {
  const address = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lists = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')));
  const isListening = ([, local, , state]: string[]): boolean => local?.endsWith(address) === true && state === '0A';
  return lists.flatMap((list) => list.split('\n')).filter((line) => isListening(line.trim().split(/\s+/))).length;
}

const isRunning = (pid: number): Promise<boolean> =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(
    (stat) => !/^\d+ \(.*\) [ZX]/s.test(stat),
    () => false,
  );

describe('A server in several processes', linuxOnly, () => {
  let home: string;
  const started: { parley: Parley; dataDir: string }[] = [];
  const start = (name: string, env: Record<string, string>) => {
    const dataDir = path.join(home, name);
    const parley = startParley(dataDir, { BOOTSTRAP_TOKEN: token, SIP_PORT: '0', ...env });
    started.push({ parley, dataDir });
    return { parley, dataDir };
  };
  /** Those below the first that run the program, not PostgreSQL's. */
  const serving = async (parley: Parley, dataDir: string): Promise<number[]> => {
    const below = (await processesOf(parley.pid, dataDir)).filter((pid) => pid !== parley.pid);
    const commands = await Promise.all(below.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
    return below.filter((_, index) => commands[index]!.includes('main.ts'));
  };
  const metric = async (url: string, line: RegExp): Promise<number> =>
    Number(line.exec((await ask(url, 'GET', '/metrics')).body)?.[1]);
  const allServe = (url: string) =>
    until(
      'all processes serve',
      () => metric(url, /^parley_processes (\d+)$/m),
      (serving) => serving === count,
    );

  before(async () => {
    home = await mkdtemp(path.join(os.tmpdir(), 'parley-several-'));
  });
  after(async () => {
    for (const { parley, dataDir } of started) await killTree(parley.pid, dataDir);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  it('shares port, limit and metrics, outlives any of them, and SIGTERM ends all', async () => {
    const { parley, dataDir } = start('data', { PROCESSES: String(count) });
    const url = await parley.ready();
    assert.equal(await countListeners(Number(new URL(url).port)), count, 'whoever gets an answer finds all of them');
    const pids = await serving(parley, dataDir);
    assert.equal(pids.length, count);
    const password = await readFile(path.join(dataDir, 'postgres', 'postgres-password'), 'utf8');
    for (const pid of pids) {
      const shown = `${await readFile(`/proc/${pid}/cmdline`, 'utf8')} ${await readFile(`/proc/${pid}/environ`, 'utf8')}`;
      assert.ok(!shown.includes(password.trim()), 'where the database is goes to nobody else');
    }
    assert.equal(parley.output().match(/Parley is ready/g)?.length, 1);
    assert.match(parley.output(), /^ {2}User {4}admin, password \S+$/m);

    // The limit of an account, over all of them: every process is asked, and all together let in what it says.
    const made = await ask(url, 'POST', '/v2/accounts/', { name: 'Bay', limits: { requests_per_minute: 50 } });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const issued = await ask(url, 'POST', `/v2/accounts/${made.body.uuid}/tokens/`, { name: 'first' });
    const answers: number[] = [];
    const beganMs = performance.now();
    for (let n = 0; n < 80; n++)
      answers.push((await ask(url, 'GET', '/v2/account/', undefined, issued.body.token)).status);
    const letIn = answers.filter((status) => status === 200).length;
    assert.equal(letIn + answers.filter((status) => status === 429).length, 80);
    // On a machine that takes longer than a minute for this, the next one has begun.
    if (performance.now() - beganMs < 59_000) assert.equal(letIn, 50);

    const counted = /^parley_http_requests_total\{operation="getAccount",status="(?:200)"\} (\d+)$/m;
    assert.equal(await metric(url, counted), letIn, 'whichever process is asked answers for all');
    assert.equal(await metric(url, counted), letIn);

    // One is killed while requests run: the others answer, and it comes back.
    const seen: number[] = [];
    let isOver = false;
    const asking = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isOver) seen.push((await ask(url, 'GET', '/v2/account/')).status);
      }),
    );
    await until(() => seen.length > 20);
    process.kill(pids[1]!, 'SIGKILL');
    const before = seen.filter((status) => status === 200).length;
    await until(() => seen.filter((status) => status === 200).length > before + 50);
    await until(
      () => metric(url, /^parley_process_restarts (\d+)$/m),
      (restarts) => restarts >= 1,
    );
    await allServe(url);
    isOver = true;
    await asking;
    assert.deepEqual(
      [...new Set(seen)].filter((status) => status !== 200 && status !== 0),
      [],
    );
    assert.match(parley.output(), /"process":0,"msg":"Process \d ended with SIGKILL\. It is started again in 1 s\."/);

    // All are killed: whoever has the carriers' connections has them again, and what was accepted goes its way.
    for (const pid of await serving(parley, dataDir)) signalIfThere(pid, 'SIGKILL');
    await allServe(url);
    const sent = await until(
      () =>
        ask(url, 'POST', '/v2/chatapp/messages/', {
          chatapp_number: '+447700900001',
          to_chatapp_number: '+447700900123',
          type: 'TEMPLATE',
          template: { template_name: 'welcome' },
        }),
      ({ status }) => status === 201,
    );
    await until(
      async () => (await ask(url, 'GET', `/v2/chatapp/messages/${sent.body.uuid}/`)).body.status,
      (status) => status === 'READ',
    );

    parley.signal('SIGTERM');
    assert.equal(await parley.ended, 0, parley.output());
    assert.deepEqual(await processesOf(parley.pid, dataDir), []);
  });

  it('when the first process is killed, the others end by themselves', async () => {
    const { parley, dataDir } = start('orphans', { PROCESSES: '2' });
    await parley.ready();
    const pids = await serving(parley, dataDir);
    assert.equal(pids.length, 2);
    parley.signal('SIGKILL');
    await parley.ended;
    for (const pid of pids) await until(`process ${pid} ends`, async () => !(await isRunning(pid)));
  });

  it('what keeps one from starting is said once, and ends the start', async () => {
    const database = await createTestDatabase();
    try {
      const env = { PROCESSES: '2', DATABASE_URL: database.url };
      const first = start('one-key', { ...env, SECRET_KEY: 'the first key, long and random' });
      await first.parley.ready();
      first.parley.signal('SIGTERM');
      assert.equal(await first.parley.ended, 0, first.parley.output());
      const { parley, dataDir } = start('another-key', { ...env, SECRET_KEY: 'another key, as long and random' });
      assert.equal(await parley.ended, 1, parley.output());
      const lines = parley.output().trim().split('\n');
      assert.equal(lines.filter((line) => line.includes('SECRET_KEY')).length, 1, parley.output());
      assert.doesNotMatch(parley.output(), /\n\s+at |node:internal|\.ts:\d|Error:/);
      assert.deepEqual(await processesOf(parley.pid, dataDir), []);
    } finally {
      await database.drop();
    }
  });

  it('PROCESSES=1 is one process, with PostgreSQL below it', async () => {
    const { parley, dataDir } = start('alone', { PROCESSES: '1' });
    const url = await parley.ready();
    assert.deepEqual(await serving(parley, dataDir), []);
    assert.match((await ask(url, 'GET', '/metrics')).body, /^parley_processes 1$/m);
    parley.signal('SIGTERM');
    assert.equal(await parley.ended, 0, parley.output());
  });
});
