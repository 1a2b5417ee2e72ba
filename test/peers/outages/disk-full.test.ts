// The disk of DATA_DIR is full while files are written: what is written is lost or waits, says so, and nothing else is.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { readWav } from '../../../src/platform/audio/wav.ts';
import {
  answer,
  create,
  listening,
  openPhone,
  type Phone,
  sdp,
  speech,
  speechPort,
  startSipApp,
} from '../../hostile/sip/peer.ts';
import type { TestApp } from '../../kit/app.ts';
import { until } from '../../kit/until.ts';
import { makeSmallDisk, type SmallDisk } from './small-disk.ts';

describe('a full disk', { timeout: 1_800_000 }, () => {
  let disk: SmallDisk | undefined;
  let app: TestApp;
  let carrier: Phone;
  let reason = '';
  const endings: (() => void)[] = [];
  before(async () => {
    try {
      disk = await makeSmallDisk(4);
    } catch (error) {
      reason = `A small disk cannot be mounted here: ${(error as Error).message}`;
      return;
    }
    app = await startSipApp({ DATA_DIR: path.join(disk.path, 'data') });
    carrier = await openPhone({ after: (done) => endings.push(done as () => void) }, '127.0.0.2');
    // Everybody that is called answers, and hangs up when the test says so.
    carrier.answerAll((asked) => {
      if (asked.startsWith('ACK')) return undefined;
      const body = asked.startsWith('INVITE') ? sdp(carrier.address, carrier.rtp.port) : '';
      return answer(asked, 200, { headers: { Contact: `<sip:phone@${carrier.address}:${carrier.port}>` }, body });
    });
    await create(app, '/v2/sip-trunks/', { name: 'Carrier', host: carrier.address, port: carrier.port });
    await listening(app);
  });
  after(async () => {
    if (!disk) return;
    await app.close();
    for (const end of endings) end();
    await disk.remove();
  });

  it('costs a call its recording, not the call; nothing half-written stays, and the next one is recorded', async (t) => {
    if (!disk) return t.skip(reason);
    const { number } = await create(app, '/v2/number/', { country_code: 'GB', target_number: '+447700900999' });
    /** A call that is recorded, in which the person says something for a while; `during` happens in the middle. */
    const talk = async (during: () => Promise<void>) => {
      const before = carrier.heard.length;
      const { uuid } = await create(app, '/v2/voice/calls/', {
        from: number,
        to: '+447700900123',
        tts: 'Hello. '.repeat(30),
        record: true,
      });
      const invite = await until('it rings', () =>
        carrier.heard
          .slice(before)
          .map(String)
          .find((text) => text.startsWith('INVITE')),
      );
      const first = carrier.rtp.heard.length;
      await until('some seconds of it are recorded', async () => {
        await carrier.rtp.send(speech(0x55), { port: speechPort(invite) });
        return carrier.rtp.heard.length >= first + 150;
      });
      await during();
      await app.call('POST', `/v2/voice/calls/${uuid}/hangup/`);
      return until('the call is over', async () => {
        const { body } = await app.call('GET', `/v2/voice/calls/${uuid}/`);
        return body.status === 'ENDED' && body;
      });
    };
    const folder = path.join(disk.path, 'data', 'recordings', app.accountId);

    const lost = await talk(() => disk!.fill());
    assert.deepEqual([lost.result, lost.recording_url], ['ANSWERED', null]);
    assert.match(JSON.stringify(lost), /The recording is lost/);
    assert.equal((await app.call('GET', `/v2/voice/calls/${lost.uuid}/recording/`)).status, 404);
    assert.deepEqual(await readdir(folder), []);

    await disk.empty();
    const kept = await talk(async () => {});
    assert.equal(kept.result, 'ANSWERED');
    const { rawPayload } = await app.app.inject({
      url: `/v2/voice/calls/${kept.uuid}/recording/`,
      headers: { authorization: `Token ${app.token}` },
    });
    assert.ok(readWav(rawPayload)!.seconds >= 1);
    assert.deepEqual(await readdir(folder), [kept.uuid]);
  });

  it('lets an export wait: nothing of it is served before all of it is there', async (t) => {
    if (!disk) return t.skip(reason);
    const names = Array.from({ length: 2_000 }, (_, index) => `Somebody with a name of their own, number ${index}`);
    await sql`
      insert into contacts (account_id, uuid, phone_number, digits, name)
      select ${app.accountId}, gen_random_uuid(), '+4477' || 10000000 + at, '4477' || 10000000 + at, name
      from unnest(${names}::text[]) with ordinality as one (name, at)`.execute(app.deps.db);
    // The beginning of the file finds room.
    await disk.fill(64 * 1024);
    const job = await app.call('POST', '/v3/jobs/', { type: 'contacts.export', input: {} });
    assert.equal(job.status, 202, JSON.stringify(job.body));
    const read = async () => (await app.call('GET', `/v3/jobs/${job.body.id}/`)).body;
    const file = () => app.call('GET', `/v3/jobs/${job.body.id}/file/`);
    await until('it was tried, and put off', async () => {
      const { rows } = await sql`select from jobs where uuid = ${job.body.id} and due_at > now()`.execute(app.deps.db);
      return rows.length > 0;
    });
    assert.equal((await file()).status, 404);
    assert.ok(!['SUCCEEDED', 'FAILED'].includes((await read()).status));
    assert.deepEqual(await readdir(path.join(disk.path, 'data', 'tmp')), []);
    await disk.empty();
    await until('it is there', async () => (await read()).status === 'SUCCEEDED');
    const { body } = await file();
    for (const name of names) assert.ok(body.includes(name), name);
  });
});
