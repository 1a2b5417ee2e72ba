// Real processes, real load, and a command that is killed in the middle of its work.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { databaseUrl } from '../../kit/database.ts';
import { type Program, startProgram } from '../../kit/program/program.ts';
import { until } from '../../kit/until.ts';

const cli = path.join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'main.ts');
const old = 'the-old-key-long-and-random';
const fresh = 'the-new-key-as-long-and-random';

describe('Rotation of the ring', { timeout: 1_800_000 }, () => {
  let program: Program;
  before(async () => {
    program = await startProgram({ SECRET_KEY: '', SECRET_KEYS: old });
    await program.parley.ready();
  });
  after(() => program.stop());

  const command = (args: string[], keys: string) => {
    const child = spawn(process.execPath, [cli, 'secrets', ...args], {
      env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl(program.connection), SECRET_KEYS: keys },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const said = Promise.all([text(child.stdout), text(child.stderr)]);
    return { kill: () => child.kill('SIGKILL'), ended, said: async () => (await said).join('') };
  };
  const make = (key: string) =>
    program.call(
      'POST',
      '/v2/webhooks/',
      { url: 'https://example.com/hook', events: ['*'] },
      { 'idempotency-key': key },
    );
  const made = new Map<string, { uuid: string; secret: string }>();
  const load = async (names: string[]) => {
    for (const name of names) {
      const { status, body } = await make(name);
      assert.equal(status, 201, JSON.stringify(body));
      made.set(name, body);
    }
  };
  const names = (what: string, count: number) => Array.from({ length: count }, (_, index) => `${what}-${index}`);
  /** The answers are sealed, and compared by a digest: whoever replays one has read both. */
  const checkAll = async () => {
    for (const [name, first] of made) {
      const again = await make(name);
      assert.deepEqual(
        [again.status, again.headers.get('idempotent-replayed')],
        [201, 'true'],
        JSON.stringify(again.body),
      );
      assert.equal(again.body.secret, first.secret);
    }
  };
  const sealedWith = () =>
    program.query(
      `select split_part(secret, ':', 2) as number, count(*)::int from webhook_endpoints group by 1 order by 1`,
    );

  it('refuses to begin while a process lacks the new key', async () => {
    await load(names('before', 60));
    const { ended, said } = command(['rotate'], `${fresh},${old}`);
    assert.equal(await ended, 2, await said());
    assert.match(await said(), /cannot read what the first key of the ring encrypts/);
  });

  it('killed in the middle, under load, leaves everything readable; a second run finishes', async () => {
    await program.restart({ SECRET_KEYS: `${fresh},${old}` });
    // Slow enough to be met in the middle.
    await program.query(`
      create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(0.05); return new; end';
      create trigger slow before update on webhook_endpoints for each row execute function slow()`);
    let over = false;
    const loading = (async () => {
      // Enough of them are made; after that the same requests are repeated.
      for (let round = 0; !over; round++) await load(names(`during-${round % 20}`, 5));
    })();
    const first = command(['rotate'], `${fresh},${old}`);
    await until('some are encrypted anew, and not all', async () => (await sealedWith()).length > 1);
    first.kill();
    assert.equal(await first.ended, null);
    await program.query('drop trigger slow on webhook_endpoints');
    await checkAll();
    const second = command(['rotate'], `${fresh},${old}`);
    const code = await second.ended;
    over = true;
    await loading;
    assert.equal(code, 0, await second.said());
    assert.match(await second.said(), /Not needed any more: [0-9a-f]{8}\./);
    assert.equal((await sealedWith()).length, 1, JSON.stringify(await sealedWith()));
    await checkAll();
  });

  it('then the old key can be dropped; without the new one a start says which key is missing', async () => {
    const { ended, said } = command(['status', '--json'], fresh);
    assert.equal(await ended, 0, await said());
    const status = JSON.parse(await said());
    assert.deepEqual([status.missing, status.lacking, status.without_data_key], [[], [], 0]);
    await assert.rejects(program.restart({ SECRET_KEYS: old }), /ended before it was ready/);
    assert.match(program.parley.output(), new RegExp(`Missing is the key with the id ${status.ring[0].id}`));
    await program.restart({ SECRET_KEYS: fresh });
    await checkAll();
  });
});
