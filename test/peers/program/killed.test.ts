// Nothing accepted is lost, nothing is sent twice: proved on the real program, killed without warning.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { killTree, type Parley, processesOf, startParley } from '../../kit/program/parley-process.ts';
import { until } from '../../kit/until.ts';

const token = 'crash-test-token';
const total = 500;
const connections = 8;
const patienceMs = 1_800_000;
/** Several senders, as each holds its own pace. */
const senders = 5;

interface Sent {
  to: string;
  /** As it is sent: a retry must repeat it to the letter. */
  body: string;
  key: string | undefined;
  /** What the 201 said; none while there was no answer. */
  uuid?: string;
}

const linuxOnly = { skip: process.platform === 'linux' ? false : 'finds processes in /proc' };

/** One phone each, so that whoever got a message twice stands out. Endings 90NN would steer the sandbox. */
const makeMessages = (): Sent[] =>
  Array.from({ length: total }, (_, index) => {
    const to = `+4477${String(10_000 + index).padStart(8, '0')}`;
    const body = JSON.stringify({
      chatapp_number: `+44770090000${index % senders}`,
      to_chatapp_number: to,
      type: 'TEMPLATE',
      template: { template_name: 'welcome' },
    });
    // Every second one may be tried again without harm; of the others an unanswered one is left alone.
    return { to, body, key: index % 2 === 0 ? `message-${index}` : undefined };
  });

describe('Parley killed without warning', linuxOnly, () => {
  const started: { parley: Parley; dataDir: string }[] = [];
  const start = (dataDir: string, env: Record<string, string> = {}): Parley => {
    const parley = startParley(dataDir, { BOOTSTRAP_TOKEN: token, ...env });
    started.push({ parley, dataDir });
    return parley;
  };
  const directories: string[] = [];
  const makeDataDir = async (): Promise<string> => {
    const parent = await mkdtemp(path.join(os.tmpdir(), 'parley-crash-'));
    directories.push(parent);
    return path.join(parent, 'data');
  };
  after(async () => {
    for (const { parley, dataDir } of started) await killTree(parley.pid, dataDir);
    for (const directory of directories) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  it('the whole tree, at a random moment while 500 messages come in: each is there once and read', async (t) => {
    const dataDir = await makeDataDir();
    const first = start(dataDir);
    const url = await first.ready();
    const all = makeMessages();
    const killAfter = randomInt(50, total - 100);
    t.diagnostic(`killed after ${killAfter} answers`);
    let answers = 0;
    let dead: Promise<void> | undefined;
    await postAll(url, all, () => {
      if (++answers === killAfter) dead = killTree(first.pid, dataDir);
    });
    await dead;
    const accepted = all.filter(({ uuid }) => uuid);
    assert.ok(accepted.length >= killAfter - connections && accepted.length < total, 'it died in the middle');

    const second = start(dataDir);
    const again = await second.ready();
    // Whoever got no answer and sent a key may simply ask again; nothing that was answered is repeated.
    const repeatable = all.filter(({ uuid, key }) => !uuid && key);
    await postAll(again, repeatable, () => {});
    assert.ok(
      repeatable.every(({ uuid }) => uuid),
      'all of them are answered now',
    );
    await assertEachOnceAndRead(t, again, all);
    await stopInOrder(second, dataDir);
  });

  it('node alone, between accept and delivery: PostgreSQL stays behind, and the next start delivers', async (t) => {
    const dataDir = await makeDataDir();
    // It accepts and leaves delivery to others, so that none has left when it dies.
    const first = start(dataDir, { ROLES: 'api' });
    const url = await first.ready();
    const all = makeMessages();
    await postAll(url, all, () => {});
    assert.ok(all.every(({ uuid }) => uuid));
    assert.equal((await get(url, '/v2/account/ledger/')).pending.queued, total);
    first.signal('SIGKILL');
    await first.ended;
    assert.notDeepEqual(await processesOf(first.pid, dataDir), [], 'PostgreSQL is still there');

    const second = start(dataDir);
    await assertEachOnceAndRead(t, await second.ready(), all);
    await stopInOrder(second, dataDir);
  });
});

/** Does the work for each, over several connections at a time. */
async function forEach(all: Sent[], work: (message: Sent) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const connection = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: connections }, connection));
}

/** Posts them; one whose connection broke has no uuid afterwards. */
const postAll = (url: string, all: Sent[], onAnswer: () => void): Promise<void> =>
  forEach(all, async (message) => {
    const answer = await post(url, message).catch(() => undefined);
    if (!answer) return;
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    message.uuid = answer.body.uuid;
    onAnswer();
  });

async function post(url: string, { body, key }: Sent) {
  const headers = {
    authorization: `Token ${token}`,
    'content-type': 'application/json',
    ...(key && { 'idempotency-key': key }),
  };
  // A machine so slow that the database seems to be away takes nothing, and says so.
  return until(
    'an answer',
    async () => {
      const signal = AbortSignal.timeout(patienceMs);
      const response = await fetch(`${url}/v2/chatapp/messages/`, { method: 'POST', headers, body, signal });
      return { status: response.status, body: (await response.json()) as { uuid: string; code?: string } };
    },
    (answer) => answer.body.code !== 'unavailable',
  );
}

async function get(url: string, place: string) {
  const response = await fetch(url + place, { headers: { authorization: `Token ${token}` } });
  assert.equal(response.status, 200);
  // biome-ignore lint/suspicious/noExplicitAny: looked into and asserted below
  return (await response.json()) as any;
}

async function assertEachOnceAndRead(t: TestContext, url: string, all: Sent[]): Promise<void> {
  const answered = all.filter(({ uuid }) => uuid);
  const ledger = await readLedgerWhenSettled(url);
  t.diagnostic(`${answered.length} answered 201, ${ledger.accepted} accepted`);
  assert.equal(ledger.unaccounted, 0);
  assert.ok(ledger.accepted >= answered.length && ledger.accepted <= total, 'nothing lost, nothing invented');
  assert.equal(ledger.final.read, ledger.accepted, 'all of them were read');

  let shown = 0;
  await forEach(all, async ({ to, uuid, key }) => {
    const phone = await get(url, `/v2/sandbox/phones/${encodeURIComponent(to)}/`);
    const onPhone = phone.results.map((message: { uuid: string }) => message.uuid);
    shown += onPhone.length;
    if (uuid) assert.deepEqual(onPhone, [uuid], `${to} got exactly the message that was answered`);
    else assert.ok(key === undefined && onPhone.length <= 1, `${to} got it at most once`);
  });
  assert.equal(shown, ledger.accepted);
}

const readLedgerWhenSettled = (url: string) =>
  until(
    () => get(url, '/v2/account/ledger/'),
    ({ final, accepted }) => final.read + final.failed === accepted,
  );

async function stopInOrder(parley: Parley, dataDir: string): Promise<void> {
  parley.signal('SIGTERM');
  assert.equal(await parley.ended, 0, parley.output());
  assert.deepEqual(await processesOf(parley.pid, dataDir), [], 'nothing is left running');
}
