import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { makeCaller, people } from '../../../../test/kit/voice/caller.ts';
import type { Deps } from '../../../deps.ts';
import { sampleRate } from '../../../platform/audio/g711.ts';
import { readWav, ulawHeader } from '../../../platform/audio/wav.ts';
import { recordingFile } from '../records/recording.ts';
import { keepLateRecordings, recoverLost } from './recover.ts';

/** A process that is no more: nobody holds its session lock. */
const deadWorker = 1;

let app: TestApp;
let caller: ReturnType<typeof makeCaller>;
let number: string;
before(async () => {
  // Without a connector nobody takes calls up: what a dead process left is written here.
  app = await startTestApp({ ROLES: 'api,worker' });
  caller = makeCaller(app);
  number = await caller.number({ target_number: people.answers });
});
after(() => app.close());

const claim = (uuid: string, changes: { claimed_by: number; touched: string; seen?: string }) =>
  sql`update calls_under_way set claimed_by = ${changes.claimed_by}, touched_at = now() - ${changes.touched}::interval,
    seen_at = ${changes.seen ?? null}::timestamptz where uuid = ${uuid}`.execute(app.deps.db);
const answeredAt = (uuid: string, at: string) =>
  sql`update calls set status = 'IN_PROGRESS', started_at = ${at}::timestamptz - interval '5 seconds', answered_at = ${at},
    ring_seconds = 4 where uuid = ${uuid}`.execute(app.deps.db);

describe('Calls of a process that died', () => {
  it('are closed as ANSWERED with the talk that is known of', async () => {
    const uuid = await caller.dials(number);
    await answeredAt(uuid, '2026-11-01T10:00:00Z');
    await claim(uuid, { claimed_by: deadWorker, touched: '20 seconds', seen: '2026-11-01T10:01:10Z' });
    assert.equal(await recoverLost(app.deps), 1);
    const call = await caller.ends(uuid);
    assert.deepEqual(
      [call.result, call.ring_seconds, call.talk_seconds, call.total_seconds, call.hung_up_by],
      ['ANSWERED', 4, 70, 75, 'PLATFORM'],
    );
    assert.match(call.description, /interrupted/);
    assert.equal((await caller.steps(uuid)).at(-1)!.event, 'call.ended');
    assert.equal((await caller.get(`/v2/cdr/?number=${encodeURIComponent(number)}`)).results[0].uuid, uuid);
    assert.equal((await caller.get(`/v2/number/${number}/insights/`)).traffic.answered, 1);
  });

  it('are closed as FAILED when nobody had answered', async () => {
    const uuid = await caller.dials(number);
    await claim(uuid, { claimed_by: deadWorker, touched: '20 seconds' });
    assert.equal(await recoverLost(app.deps), 1);
    const call = await caller.ends(uuid);
    assert.deepEqual([call.result, call.talk_seconds, call.sip_code], ['FAILED', 0, 500]);
    assert.equal(await recoverLost(app.deps), 0, 'once');
  });

  it('keep what was recorded of them: a talk, or the message that the caller was leaving', async () => {
    const [talk, message, click] = [await caller.dials(number), await caller.dials(number), await caller.dials(number)];
    await answeredAt(talk, '2026-11-01T10:00:00Z');
    const seconds = { [talk]: 3, [message]: 5, [click]: 0.5 };
    const channels = (uuid: string): number => (uuid === talk ? 2 : 1);
    const directory = path.join(app.deps.config.dataDir, 'recordings', app.accountId);
    await mkdir(directory, { recursive: true });
    for (const [uuid, length] of Object.entries(seconds)) {
      // Without its end, as a process that was killed leaves it.
      const sound = Buffer.alloc(length * sampleRate * channels(uuid), 0x80);
      await writeFile(path.join(directory, uuid), Buffer.concat([ulawHeader(channels(uuid)), sound]));
      await claim(uuid, { claimed_by: deadWorker, touched: '20 seconds', seen: '2026-11-01T10:00:09Z' });
    }
    assert.equal(await recoverLost(app.deps), 3);
    const calls = await Promise.all([talk, message, click].map((uuid) => caller.ends(uuid)));
    assert.deepEqual(
      calls.map(({ result, voicemail, recording_seconds }) => [result, voicemail, recording_seconds]),
      [
        ['ANSWERED', false, 3],
        ['VOICEMAIL', true, 5],
        ['FAILED', false, null],
      ],
    );
    const told = async (uuid: string) => (await caller.steps(uuid)).map(({ event }) => event).slice(-2);
    assert.deepEqual(await told(talk), ['call.recording_ready', 'call.ended']);
    assert.deepEqual(await told(message), ['call.voicemail_received', 'call.ended']);
    const { rawPayload } = await app.app.inject({
      url: calls[0].recording_url,
      headers: { authorization: `Token ${app.token}` },
    });
    const wav = readWav(rawPayload)!;
    assert.deepEqual([wav.channels, wav.seconds, rawPayload.readUInt32LE(54)], [2, 3, 3 * 2 * sampleRate]);
  });

  it('are held by nobody while what was recorded of them is stored', async () => {
    const uuid = await caller.dials(number);
    await answeredAt(uuid, '2026-11-01T10:00:00Z');
    await claim(uuid, { claimed_by: deadWorker, touched: '20 seconds', seen: '2026-11-01T10:00:09Z' });
    const draft = await app.deps.files.draft(recordingFile(app.accountId, uuid));
    await writeFile(draft, Buffer.concat([ulawHeader(2), Buffer.alloc(3 * sampleRate * 2, 0x80)]));
    let isFree = false;
    const adopt: Deps['files']['adopt'] = async (from, name) => {
      await sql`select from calls_under_way where account_id = ${app.accountId} and uuid = ${uuid} for update nowait`.execute(
        app.deps.db,
      );
      isFree = true;
      await app.deps.files.adopt(from, name);
    };
    assert.equal(await recoverLost({ ...app.deps, files: { ...app.deps.files, adopt } }), 1);
    assert.ok(isFree);
    assert.equal((await caller.ends(uuid)).recording_seconds, 3);
  });

  it('keep a recording that only its own machine has, once that is back', async () => {
    const [talk, click] = [await caller.dials(number), await caller.dials(number)];
    const drafts = path.join(app.deps.config.dataDir, 'drafts');
    await mkdir(drafts, { recursive: true });
    for (const [uuid, length] of [
      [talk, 3],
      [click, 0.5],
    ] as const) {
      await answeredAt(uuid, '2026-11-01T10:00:00Z');
      await claim(uuid, { claimed_by: deadWorker, touched: '20 seconds', seen: '2026-11-01T10:00:09Z' });
      await writeFile(
        path.join(drafts, uuid),
        Buffer.concat([ulawHeader(2), Buffer.alloc(length * sampleRate * 2, 0x80)]),
      );
    }
    assert.equal(await recoverLost(app.deps), 2, 'by a machine that has nothing of it');
    assert.equal((await caller.ends(talk)).recording_seconds, null);

    const own: Deps = {
      ...app.deps,
      files: {
        ...app.deps.files,
        draft: async (name) => path.join(drafts, path.basename(name)),
        async *drafts() {
          for (const uuid of [talk, click]) yield recordingFile(app.accountId, uuid);
        },
      },
    };
    await keepLateRecordings(own);
    await keepLateRecordings(own);
    const [kept, none] = [await caller.call(talk), await caller.call(click)];
    assert.deepEqual([kept.recording_seconds, kept.voicemail, none.recording_seconds], [3, false, null]);
    const told = (await caller.steps(talk)).filter(({ event }) => event === 'call.recording_ready');
    assert.equal(told.length, 1);
    const { rawPayload } = await app.app.inject({
      url: kept.recording_url,
      headers: { authorization: `Token ${app.token}` },
    });
    assert.equal(readWav(rawPayload)!.seconds, 3);
  });

  it('are left alone while their process lives, or may only have lost its session for a moment', async () => {
    const [alive, moment] = [await caller.dials(number), await caller.dials(number)];
    await claim(alive, { claimed_by: app.deps.listener.workerNumber, touched: '20 seconds' });
    await claim(moment, { claimed_by: deadWorker, touched: '5 seconds' });
    assert.equal(await recoverLost(app.deps), 0);
    await claim(alive, { claimed_by: app.deps.listener.workerNumber, touched: '2 minutes' });
    assert.equal(await recoverLost(app.deps), 1, 'even a living process may have forgotten one');
  });

  it('that nobody took up within a minute fail; before that they can be taken back', async () => {
    const [forgotten, taken] = [
      await caller.starts({ from: number, to: people.answers }),
      await caller.starts({ from: number, to: people.answers }),
    ];
    const { status, body } = await app.call('POST', `/v2/voice/calls/${taken}/hangup/`);
    assert.deepEqual([status, body.result, body.hung_up_by], [202, 'ABANDONED', 'API']);
    assert.equal(await recoverLost(app.deps), 0);
    await sql`update calls_under_way set created = now() - interval '61 seconds' where uuid = ${forgotten}`.execute(
      app.deps.db,
    );
    assert.equal(await recoverLost(app.deps), 1);
    const call = await caller.ends(forgotten);
    assert.deepEqual([call.result, call.sip_code], ['FAILED', 503]);
  });
});
