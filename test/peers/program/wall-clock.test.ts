import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../kit/app.ts';
import { type Program, startProgram } from '../../kit/program/program.ts';
import { until } from '../../kit/until.ts';

const hourMs = 3_600_000;
/** As a URL: a path with a space would be two options. */
const preload = new URL('shifted-date.ts', import.meta.url).href;

describe("The machine's clock is set", { timeout: 1_800_000 }, () => {
  let directory = '';
  let shiftFile = '';
  let program: Program;
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-shift-'));
    shiftFile = path.join(directory, 'shift');
    program = await startProgram({ NODE_OPTIONS: `--import ${preload}`, SHIFT_FILE: shiftFile });
    await program.parley.ready();
  });
  after(async () => {
    await program.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const setClock = async (shiftMs: number, jumps: number): Promise<void> => {
    await writeFile(shiftFile, String(shiftMs));
    program.parley.signal('SIGUSR2');
    const counted = new RegExp(`^parley_clock_jumps_total\\{clock="machine"\\} ${jumps}$`, 'm');
    await until(
      async () => (await program.call('GET', '/metrics')).body as string,
      (text) => counted.test(text),
    );
  };
  const countQueued = async (): Promise<number> => {
    const [row] = await program.query(`select count(*)::int as count from message_states where status = 'QUEUED'`);
    return row.count;
  };
  const sendSome = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index++) {
      const { status } = await program.call('POST', '/v2/chatapp/messages/', {
        chatapp_number: '+447700900001',
        to_chatapp_number: `+4477009${String(10_000 + index)}`,
        type: 'TEXT',
        text: { body: 'Hello' },
      });
      assert.equal(status, 201);
    }
  };

  it('back by an hour while a sender rests: what waits leaves all the same', async () => {
    // Ten a second: the sender rests between any two.
    const sender = { chatapp_number: '+447700900001', messages_per_second: 10 };
    const { body } = await program.call('POST', '/v2/chatapp/accounts/', sender);
    await program.call('POST', `/v2/chatapp/accounts/${body.uuid}/pause/`);
    await sendSome(100);
    await program.call('POST', `/v2/chatapp/accounts/${body.uuid}/resume/`);
    await until(countQueued, (count) => count < 90);
    assert.ok((await countQueued()) > 0, 'some still wait when the clock is set');
    await setClock(-hourMs, 1);
    await until(countQueued, (count) => count === 0);
    assert.match(program.parley.output(), /The clock of this machine was set 3600\.0 s back/);
  });

  it('ahead by two months and back: what is sent in between and afterwards leaves', async () => {
    await setClock(60 * 24 * hourMs, 2);
    await sendSome(15);
    await until(countQueued, (count) => count < 10);
    await setClock(0, 3);
    await sendSome(5);
    await until(countQueued, (count) => count === 0);
    const ahead = await program.query(`select uuid from messages where uuid > uuid_floor(now() + interval '1 minute')`);
    assert.deepEqual(ahead, [], 'ids are of the present');
  });
});

describe("The database's clock is set back", { timeout: 1_800_000 }, () => {
  let program: Program;
  before(async () => {
    program = await startProgram();
    await program.parley.ready();
    // The functions that every statement asks for the time, found before PostgreSQL's own.
    await program.query(`
      create table shift as select interval '0' as by;
      create function public.clock_timestamp() returns timestamptz volatile language sql
        as 'select pg_catalog.clock_timestamp() + by from shift';
      create function public.now() returns timestamptz stable language sql
        as 'select pg_catalog.now() + by from shift'`);
    const { database } = program.connection;
    await program.query(`alter database ${database} set search_path = public, pg_catalog`);
    await program.restart();
  });
  after(() => program.stop());

  it('by an hour, and what was due before is due again at once; it is logged and counted', async () => {
    const send = () =>
      program.call('POST', '/v2/chatapp/messages/', {
        chatapp_number: '+447700900001',
        to_chatapp_number: '+447700910000',
        type: 'TEXT',
        text: { body: 'Hello' },
      });
    const isSent = async (uuid: string): Promise<string> =>
      (await program.call('GET', `/v2/chatapp/messages/${uuid}/`)).body.status;
    const before = await send();
    assert.equal(before.status, 201);
    await until(
      () => isSent(before.body.uuid),
      (status) => status === 'READ',
    );
    await program.query(`update shift set by = interval '-1 hour'`);
    const counted = /^parley_clock_jumps_total\{clock="database"\} 1$/m;
    await until(
      async () => (await program.call('GET', '/metrics')).body as string,
      (text) => counted.test(text),
    );
    const later = await send();
    await until(
      () => isSent(later.body.uuid),
      (status) => status === 'READ',
    );
    assert.match(program.parley.output(), /The database's clock was set 3600\.\d s back/);
  });
});

describe('Rows of a clock that was set back since', { timeout: 1_800_000 }, () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
    await app.call('POST', '/v2/chatapp/accounts/', { chatapp_number: '+447700900001', messages_per_second: 50 });
  });
  after(() => app.close());

  const send = async (): Promise<string> => {
    const { body } = await app.call('POST', '/v2/chatapp/messages/', {
      chatapp_number: '+447700900001',
      to_chatapp_number: '+447700910000',
      type: 'TEXT',
      text: { body: 'Hello' },
    });
    return body.uuid;
  };
  const statusOf = async (uuid: string): Promise<string> =>
    (await app.call('GET', `/v2/chatapp/messages/${uuid}/`)).body.status;

  for (const [what, tokens] of [
    ['an empty bucket of the next hour', 0],
    ['a bucket hours below empty', -286_000],
  ] as const) {
    it(`${what} does not hold a sender`, async () => {
      await app.deps.db
        .updateTable('chatapp_accounts')
        .set({
          rate_tokens: tokens,
          rate_at: new Date(Date.now() + (tokens === 0 ? hourMs : -hourMs / 4)).toISOString(),
        })
        .execute();
      const uuid = await send();
      await until(
        () => statusOf(uuid),
        (status) => status === 'READ',
      );
    });
  }

  it('what the carrier put off until after the clock was set back leaves when the database finds out', async () => {
    const sender = (await app.call('GET', '/v2/chatapp/accounts/')).body.results[0].uuid;
    await app.call('POST', `/v2/chatapp/accounts/${sender}/pause/`);
    const uuid = await send();
    const scheduled = (
      await app.call('POST', '/v2/chatapp/messages/', {
        chatapp_number: '+447700900001',
        to_chatapp_number: '+447700910000',
        type: 'TEXT',
        text: { body: 'Hello' },
        send_at: new Date(Date.now() + 24 * hourMs).toISOString(),
      })
    ).body.uuid;
    await app.deps.db
      .updateTable('message_states')
      .set({
        due_at: new Date(Date.now() + 24 * hourMs).toISOString(),
        give_up_at: new Date(Date.now() + 28 * hourMs).toISOString(),
      })
      .where('uuid', '=', uuid)
      .execute();
    await app.call('POST', `/v2/chatapp/accounts/${sender}/resume/`);
    app.deps.listener.wakeAll();
    await until(
      () => statusOf(uuid),
      (status) => status === 'READ',
    );
    assert.equal(await statusOf(scheduled), 'QUEUED');
  });

  it('a claim of a dead process of the next hour is taken over', async () => {
    const sender = (await app.call('GET', '/v2/chatapp/accounts/')).body.results[0].uuid;
    await app.call('POST', `/v2/chatapp/accounts/${sender}/pause/`);
    const uuid = await send();
    await app.deps.db
      .updateTable('message_states')
      .set({ claimed_by: 1, claimed_at: new Date(Date.now() + hourMs).toISOString() })
      .where('uuid', '=', uuid)
      .execute();
    await app.call('POST', `/v2/chatapp/accounts/${sender}/resume/`);
    await until(
      () => statusOf(uuid),
      (status) => status === 'READ',
    );
  });
});
