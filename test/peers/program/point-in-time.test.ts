// A server that is busy and keeps its WAL, killed and stopped, and the data directories that are made of its backups for chosen moments.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it, mock } from 'node:test';
import { run } from '../../../src/cli/run.ts';
import { killTree, type Parley, startParley } from '../../kit/program/parley-process.ts';
import { until } from '../../kit/until.ts';

const token = 'a-token-for-the-moments';
const linuxOnly = { skip: process.platform === 'linux' ? false : 'finds processes in /proc', timeout: 1_800_000 };

interface Sent {
  uuid: string;
  askedMs: number;
  acceptedMs: number;
}

describe('parley restore --at', linuxOnly, () => {
  let directory: string;
  let parley: Parley;
  let moment: number;
  const sent: Sent[] = [];
  const inDirectory = (name: string) => path.join(directory, name);
  const start = () =>
    startParley(inDirectory('data'), { BOOTSTRAP_TOKEN: token, SIP_PORT: '0', WAL_ARCHIVE: inDirectory('wal') });
  const walFolders = async () => (await readdir(inDirectory('wal'))).sort();
  const segments = async () => (await readdir(inDirectory(`wal/${(await walFolders())[0]}`))).sort();

  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-moments-'));
  });
  after(async () => {
    await killTree(parley.pid, inDirectory('data'));
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  async function command(...args: string[]) {
    const said: string[] = [];
    const mocks = (['log', 'error'] as const).map((way) =>
      mock.method(console, way, (line: string) => void said.push(line)),
    );
    const env = { DATA_DIR: inDirectory('data'), WAL_ARCHIVE: inDirectory('wal') };
    const code = await run(['node', 'parley', ...args], env).finally(() => {
      for (const one of mocks) one.mock.restore();
    });
    return { code, said: said.join('\n') };
  }
  async function call(server: Parley, method: string, url: string, body?: unknown) {
    const answer = await fetch(new URL(url, await server.ready()), {
      method,
      headers: { authorization: `Token ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  }
  /** Sends from two clients at once until it is told to stop. */
  function startLoad() {
    let isOver = false;
    const work = async (): Promise<void> => {
      while (!isOver) {
        const askedMs = Date.now();
        const { status, body } = await call(parley, 'POST', '/v2/chatapp/messages/', {
          chatapp_number: '+447700900001',
          to_chatapp_number: '+447700900123',
          type: 'TEMPLATE',
          template: { template_name: 'welcome' },
        });
        assert.equal(status, 201, JSON.stringify(body));
        sent.push({ uuid: body.uuid, askedMs, acceptedMs: Date.now() });
      }
    };
    const all = Promise.all(Array.from({ length: 2 }, work));
    return async () => {
      isOver = true;
      await all;
    };
  }
  const more = (count: number) => {
    const goal = sent.length + count;
    return until(() => sent.length >= goal);
  };
  /** What a server on a data directory has: its ledger when all is done, and the ids of its messages. */
  async function lookInto(name: string) {
    const server = startParley(inDirectory(name), { BOOTSTRAP_TOKEN: token, SIP_PORT: '0' });
    try {
      const ledger = await until(
        async () => (await call(server, 'GET', '/v2/account/ledger/')).body,
        ({ accepted, final }) => final.read === accepted,
      );
      const found = new Set<string>();
      for (let page = '/v2/chatapp/messages/?page_size=200'; page; ) {
        const { body } = await call(server, 'GET', page);
        for (const { uuid } of body.results) found.add(uuid);
        page = body.next && new URL(body.next).pathname + new URL(body.next).search;
      }
      return { ledger, found };
    } finally {
      server.signal('SIGTERM');
      await server.ended;
    }
  }

  it('has what was accepted before the moment and nothing of what came after it, with an exact ledger', async (t) => {
    parley = start();
    let stopLoad = startLoad();
    await more(40);
    const made = await command('backup', inDirectory('first.tar.zst'));
    assert.equal(made.code, 0, made.said);
    await more(40);
    await stopLoad();
    // Killed with everything below it: what follows has to begin where the archive ends.
    await killTree(parley.pid, inDirectory('data'));
    parley = start();
    stopLoad = startLoad();
    await more(60);
    moment = Date.now();
    await until(() => sent.filter(({ askedMs }) => askedMs > moment).length >= 40);
    await stopLoad();
    parley.signal('SIGTERM');
    assert.equal(await parley.ended, 0, parley.output());
    assert.doesNotMatch(parley.output(), /WAL archive/);
    assert.equal((await walFolders()).length, 1);

    const at = new Date(moment).toISOString();
    const back = await command('restore', inDirectory('first.tar.zst'), '--data-dir', inDirectory('then'), '--at', at);
    assert.equal(back.code, 0, back.said);
    assert.match(back.said, /Its last transaction is of \d{4}-/);
    const { ledger, found } = await lookInto('then');
    const earlier = sent.filter(({ acceptedMs }) => acceptedMs < moment);
    const later = sent.filter(({ askedMs }) => askedMs > moment);
    t.diagnostic(
      `${earlier.length} accepted before ${at}, ${later.length} asked for after it, ${ledger.accepted} there`,
    );
    assert.deepEqual(
      earlier.filter(({ uuid }) => !found.has(uuid)),
      [],
    );
    assert.deepEqual(
      later.filter(({ uuid }) => found.has(uuid)),
      [],
    );
    assert.deepEqual([ledger.unaccounted, ledger.accepted], [0, found.size]);
  });

  it('latest has all that was accepted before the server was stopped', async () => {
    const where = inDirectory('latest');
    const back = await command('restore', inDirectory('first.tar.zst'), '--data-dir', where, '--at', 'latest');
    assert.equal(back.code, 0, back.said);
    const { ledger, found } = await lookInto('latest');
    assert.deepEqual([ledger.unaccounted, ledger.accepted, found.size], [0, sent.length, sent.length]);
  });

  it('refuses moments that it cannot reach, each in a sentence, and leaves nothing behind', async () => {
    const early = new Date(moment - 86_400_000).toISOString();
    const now = new Date().toISOString();
    const cases: [string, number, RegExp][] = [
      ['yesterday', 2, /--at yesterday is not a time with its zone/],
      ['2026-11-18T09:30:00', 2, /is not a time with its zone/],
      ['2999-01-01T00:00:00Z', 2, /is in the future/],
      [early, 1, /was made at .*, after .*\. Use an earlier backup\./],
      [now, 1, /The archive ends with a transaction of \d{4}-.*, before .*--at latest/],
    ];
    for (const [at, code, sentence] of cases) {
      const { said, ...refused } = await command(
        ...['restore', inDirectory('first.tar.zst'), '--data-dir', inDirectory('empty'), '--at', at],
      );
      assert.deepEqual([refused.code, sentence.test(said)], [code, true], said);
      assert.deepEqual(await readdir(inDirectory('empty')).catch(() => []), []);
    }
  });

  it('old WAL goes with the backups that needed it, and what is left leads on from the others', async () => {
    parley = start();
    await parley.ready();
    const made = await command('backup', inDirectory('second.tar.zst'));
    assert.equal(made.code, 0, made.said);
    const stopLoad = startLoad();
    await more(20);
    await stopLoad();
    const { findings } = JSON.parse((await command('doctor', '--json')).said);
    assert.equal(findings.find(({ check }: { check: string }) => check === 'wal_archive').level, 'ok');
    parley.signal('SIGTERM');
    await parley.ended;
    const all = await segments();
    const kept = await command('backup', 'prune', directory, '--json');
    assert.equal(kept.code, 0, kept.said);
    const untouched = await segments();
    assert.ok(untouched.includes(all.at(-1)!));
    await rm(inDirectory('first.tar.zst'));
    const pruned = await command('backup', 'prune', directory, '--json');
    assert.deepEqual(JSON.parse(pruned.said).backups, 1, pruned.said);
    const left = await segments();
    assert.ok(left.length < untouched.length, `${left} of ${untouched}`);
    const where = inDirectory('second');
    const back = await command('restore', inDirectory('second.tar.zst'), '--data-dir', where, '--at', 'latest');
    assert.equal(back.code, 0, back.said);
    assert.equal((await lookInto('second')).ledger.accepted, sent.length);
    await rm(inDirectory('second.tar.zst'));
    const none = await command('backup', 'prune', directory);
    assert.deepEqual([none.code, /There is no backup in .* Nothing was removed/.test(none.said)], [1, true]);
    assert.deepEqual(await segments(), left);
  });

  it('without WAL_ARCHIVE the server keeps WAL for nobody, and says what its backups lack', async () => {
    parley = startParley(inDirectory('data'), { BOOTSTRAP_TOKEN: token, SIP_PORT: '0' });
    await parley.ready();
    assert.deepEqual(await readdir(inDirectory('data/postgres/pgdata/pg_replslot')), []);
    assert.equal((await command('backup', inDirectory('third.tar.zst'))).code, 0);
    const refused = await command(
      ...['restore', inDirectory('third.tar.zst'), '--data-dir', inDirectory('empty'), '--at', 'latest'],
    );
    assert.deepEqual([refused.code, /made while no WAL was kept/.test(refused.said)], [1, true], refused.said);
  });
});
