// A backup of a server that is busy, by the real command, and a second server on what was restored from it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it, mock } from 'node:test';
import { type Smsc, startSmsc } from '../../../simulators/smsc/index.ts';
import { run } from '../../../src/cli/run.ts';
import { killTree, type Parley, startParley } from '../../kit/program/parley-process.ts';
import { until } from '../../kit/until.ts';

const main = path.join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'main.ts');
const token = 'a-token-for-the-backup';
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const linuxOnly = { skip: process.platform === 'linux' ? false : 'finds processes in /proc', timeout: 1_800_000 };

describe('parley backup', linuxOnly, () => {
  let directory: string;
  let parley: Parley;
  let restored: Parley | undefined;
  let smsc: Smsc;
  const inDirectory = (name: string) => path.join(directory, name);
  const settings = { BOOTSTRAP_TOKEN: token, SMPP_ALLOW: '127.0.0.1/32', SIP_PORT: '0' };

  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-backup-'));
    smsc = await startSmsc();
    parley = startParley(inDirectory('data'), settings);
    await parley.ready();
  });
  after(async () => {
    await killTree(parley.pid, inDirectory('data'));
    if (restored) await killTree(restored.pid, inDirectory('restored'));
    await smsc.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  /** As a process of its own. */
  async function command(...args: string[]) {
    const child = spawn(process.execPath, [main, ...args], {
      cwd: directory,
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: inDirectory('data') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const code = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await code, out, err };
  }
  /** In this process, which is quicker. */
  async function parleyHere(...args: string[]) {
    const out: string[] = [];
    const err: string[] = [];
    const mocks = [
      mock.method(console, 'log', (line: string) => void out.push(line)),
      mock.method(console, 'error', (line: string) => void err.push(line)),
    ];
    const code = await run(['node', 'parley', ...args], { DATA_DIR: inDirectory('data') }).finally(() => {
      for (const one of mocks) one.mock.restore();
    });
    return { code, out: out.join('\n'), err: err.join('\n') };
  }
  async function call(server: Parley, method: string, url: string, body?: unknown) {
    const isForm = body instanceof FormData;
    const answer = await fetch(new URL(url, await server.ready()), {
      method,
      headers: {
        authorization: `Token ${token}`,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const content = Buffer.from(await answer.arrayBuffer());
    const isJson = String(answer.headers.get('content-type')).includes('json');
    return { status: answer.status, content, body: isJson ? JSON.parse(content.toString()) : undefined };
  }
  const linkIsUp = (server: Parley) =>
    until(
      async () => (await call(server, 'GET', '/v2/network-status/sms/')).body.results[0]?.state,
      (state) => state === 'UP',
    );
  const send = async (): Promise<string> => {
    const { status, body } = await call(parley, 'POST', '/v2/chatapp/messages/', {
      chatapp_number: '+447700900001',
      to_chatapp_number: '+447700900123',
      type: 'TEMPLATE',
      template: { template_name: 'welcome' },
    });
    assert.equal(status, 201, JSON.stringify(body));
    return body.uuid;
  };
  /** Sends one message after the other until it is told to stop; answers the ids of those that were accepted. */
  function startLoad() {
    const accepted: string[] = [];
    let isOver = false;
    const work = async (): Promise<void> => {
      while (!isOver) {
        accepted.push(await send());
      }
    };
    const all = work();
    return {
      accepted,
      async stop() {
        isOver = true;
        await all;
      },
    };
  }

  it('under load is restored elsewhere with an exact ledger, all files and readable secrets', async (t) => {
    const link = { name: 'one', host: '127.0.0.1', port: smsc.port, system_id: 'parley', password: 'parley' };
    assert.equal((await call(parley, 'POST', '/v2/sms-links/', link)).status, 201);
    await linkIsUp(parley);
    // With a link the account is live; the load goes through the sandbox nevertheless.
    assert.equal((await call(parley, 'PATCH', '/v2/account/', { sandbox: 'adopt' })).status, 200);
    const form = new FormData();
    form.set('file', new Blob([png], { type: 'image/png' }), 'dot.png');
    const media = (await call(parley, 'POST', '/v2/chatapp/template-media/', form)).body;

    const load = startLoad();
    await until(() => load.accepted.length >= 50);
    const before = [...load.accepted];
    const made = await command('backup', 'now.tar.zst', '--json');
    const during = load.accepted.length - before.length;
    const late = load.accepted.length;
    await until(() => load.accepted.length >= late + 10);
    await load.stop();
    assert.equal(made.code, 0, made.err);
    assert.doesNotMatch(made.err, /Warning/);
    assert.equal((await stat(inDirectory('now.tar.zst'))).mode & 0o777, 0o600);
    assert.equal(JSON.parse(made.out).files, 1);
    const verified = await parleyHere('backup', 'verify', inDirectory('now.tar.zst'));
    assert.match(verified.out, /is whole: [\d,]+ entries/, verified.err);

    const back = await parleyHere('restore', inDirectory('now.tar.zst'), '--data-dir', inDirectory('restored'));
    assert.equal(back.code, 0, back.err);
    restored = startParley(inDirectory('restored'), settings);
    await linkIsUp(restored);
    const ledger = await until(
      async () => (await call(restored!, 'GET', '/v2/account/ledger/')).body,
      ({ accepted, final }) => final.read === accepted,
    );
    t.diagnostic(`${before.length} accepted before, ${during} while it was made, ${ledger.accepted} in the backup`);
    assert.equal(ledger.unaccounted, 0);
    const { body: now } = await call(parley, 'GET', '/v2/account/ledger/');
    assert.ok(ledger.accepted >= before.length && ledger.accepted < now.accepted, 'the ledger of one moment');
    // Ids are in the order of their acceptance: what was there before is there now, and there is no gap in what followed.
    const found = new Set<string>();
    for (let page = '/v2/chatapp/messages/?page_size=200'; page; ) {
      const { body } = await call(restored, 'GET', page);
      for (const { uuid } of body.results) found.add(uuid);
      page = body.next && new URL(body.next).pathname + new URL(body.next).search;
    }
    assert.deepEqual(
      before.filter((uuid) => !found.has(uuid)),
      [],
    );
    const file = await call(restored, 'GET', `/v2/chatapp/template-media/${media.uuid}/content/`);
    assert.deepEqual([file.status, file.content], [200, png]);
    const key = (name: string) => readFile(path.join(inDirectory(name), 'secret-key'), 'utf8');
    assert.equal(await key('restored'), await key('data'));
  });

  it('refuses a file that is there, a full directory and a broken file; nothing is left behind', async () => {
    const again = await parleyHere('backup', inDirectory('now.tar.zst'));
    assert.deepEqual([again.code, /is there already/.test(again.err)], [2, true]);
    const full = await parleyHere('restore', inDirectory('now.tar.zst'), '--data-dir', inDirectory('restored'));
    assert.deepEqual([full.code, /restored is not empty\./.test(full.err)], [2, true]);

    const whole = await readFile(inDirectory('now.tar.zst'));
    const turned = Buffer.from(whole);
    turned[Math.floor(whole.length / 2)]! ^= 0xff;
    await writeFile(inDirectory('turned'), turned);
    await mkdir(inDirectory('empty'));
    for (const name of ['turned', 'missing']) {
      const { code, err } = await parleyHere('restore', inDirectory(name), '--data-dir', inDirectory('empty'));
      assert.equal(code, 1, err);
      assert.match(err, /^[^\n]*(is damaged|is not complete|There is no file)[^\n]*$/);
      const verified = await parleyHere('backup', 'verify', inDirectory(name));
      assert.deepEqual([verified.code, verified.err], [1, err]);
    }
    assert.deepEqual(await readdir(inDirectory('empty')), []);
    assert.deepEqual(
      (await readdir(directory)).filter((name) => name.includes('.part') || name.includes('checksums')),
      [],
    );
  });

  it('of a server that does not run starts its database for it', async () => {
    parley.signal('SIGTERM');
    await parley.ended;
    const stopped = await parleyHere('backup', inDirectory('stopped.tar.zst'), '--json');
    assert.equal(stopped.code, 0, stopped.err);
    assert.match(stopped.err, /No server runs here/);
    assert.equal(JSON.parse(stopped.out).files, 1);
  });
});
