import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { holds, lasts, makeCaller, people } from '../../../../test/kit/voice/caller.ts';

const url = '/v2/voice/calls/';

let app: TestApp;
let caller: ReturnType<typeof makeCaller>;
let from: string;
before(async () => {
  app = await startTestApp();
  caller = makeCaller(app);
  await caller.clock({ speed: 25 });
  from = await caller.number();
  await caller.upload('news');
  // Made once and kept: the first time takes longer than the fast clock of these tests allows.
  await caller.sound({ text: 'Good news.' });
});
after(() => app.close());

const heardBy = async (phone: string) => {
  const leg = await caller.phone(phone);
  return { other: leg.other, heard: leg.heard.map(({ sound }: { sound: string }) => sound) };
};

describe(`POST ${url}`, () => {
  it('rings the person, speaks, plays, and hangs up', async () => {
    const uuid = await caller.starts({
      from,
      to: people.answers,
      tts: 'Good news.',
      audio_file: 'news',
      meta_data: { order: 7 },
    });
    const call = await caller.ends(uuid);
    assert.deepEqual(
      [call.direction, call.result, call.hung_up_by, call.number, call.target, call.meta_data],
      ['OUTBOUND', 'ANSWERED', 'PLATFORM', from, people.answers, { order: 7 }],
    );
    lasts(call.ring_seconds, 3);
    const { other, heard } = await heardBy(people.answers);
    assert.equal(other, from);
    assert.deepEqual(heard, [await caller.sound({ text: 'Good news.' }), await caller.sound({ file: 'news' })]);
    assert.deepEqual(
      (await caller.steps(uuid)).map(({ event }) => event),
      ['call.queued', 'call.started', 'call.answered', 'call.played', 'call.played', 'call.ended'],
    );
  });

  it('rings bridge_to once the person has answered, connects both, and records both', async () => {
    // What is written down between the answers takes its time, which is to be a small part of what is recorded.
    await caller.clock({ speed: 5 });
    const uuid = await caller.starts({ from, to: people.late, bridge_to: people.answers, record: true });
    const call = await caller.ends(uuid);
    await caller.clock({ speed: 25 });
    assert.deepEqual([call.result, call.hung_up_by], ['ANSWERED', 'CALLEE']);
    lasts(call.ring_seconds, 20 + 3);
    assert.ok(call.recording_seconds > 0 && call.recording_seconds <= call.talk_seconds + 1);
    assert.deepEqual((await heardBy(people.late)).heard, ['ringing', 'talk']);
    assert.deepEqual((await heardBy(people.answers)).heard, ['talk']);
    const { headers } = await app.call('GET', call.recording_url);
    holds(Number(headers['content-length']), call.recording_seconds);
  });

  it('records one who listens alone, also when they hang up in the middle', async () => {
    const uuid = await caller.starts({ from, to: people.short, audio_file: 'news', record: true });
    const call = await caller.ends(uuid);
    assert.deepEqual([call.result, call.hung_up_by], ['ANSWERED', 'CALLEE']);
    assert.ok(call.recording_seconds <= call.talk_seconds + 1);
  });

  it('says how it ended when nobody answered', async () => {
    for (const [to, result, code] of [
      [people.busy, 'BUSY', 486],
      [people.absent, 'MISSED', 480],
      [people.refuses, 'REJECTED', 603],
      [people.unreachable, 'FAILED', 503],
    ] as const) {
      const call = await caller.ends(await caller.starts({ from, to, timeout_seconds: 6 }));
      assert.deepEqual([call.result, call.sip_code, call.talk_seconds], [result, code, 0], to);
      if (result === 'MISSED') lasts(call.ring_seconds, 6);
    }
    const unbridged = await caller.ends(await caller.starts({ from, to: people.late, bridge_to: people.busy }));
    assert.deepEqual([unbridged.result, unbridged.description], ['ANSWERED', 'bridge_to did not answer: Busy here.']);
  });

  it('dials each call once, however many wait', async () => {
    const phones = Array.from({ length: 30 }, (_, n) => `+4477009001${String(n).padStart(2, '0')}`);
    const uuids = await Promise.all(phones.map((to) => caller.starts({ from, to })));
    for (const uuid of uuids) assert.equal((await caller.ends(uuid)).result, 'ANSWERED');
    for (const phone of phones) {
      const { count } = await caller.get(`/v2/sandbox/calls/?number=${encodeURIComponent(phone)}`);
      assert.equal(count, 1, phone);
    }
  });

  it('400 for people who opted out of calls, and for an audio file that is not there', async () => {
    const to = '+447700900666';
    await app.call('POST', '/v2/opt-outs/', { phone_number: to, channel: 'VOICE' });
    const refused = await app.call('POST', url, { from, to });
    assert.deepEqual([refused.status, refused.body.code], [400, 'recipient_opted_out']);
    const { status, body } = await app.call('POST', url, { from, to: people.answers, audio_file: 'missing-file' });
    assert.deepEqual([status, body], [400, { audio_file: ['No audio file has this name or uuid.'] }]);
    for (const [field, value] of [
      ['from', 'mum'],
      ['to', ''],
      ['bridge_to', 5],
      ['timeout_seconds', 4],
      ['record', 'maybe'],
      ['tts', ''],
    ] as const) {
      const answer = await app.call('POST', url, { from, to: people.answers, [field]: value });
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, [field]]);
    }
  });

  it('an idempotent request starts one call', async () => {
    const options = { headers: { 'idempotency-key': 'one call' } };
    const request = { from, to: people.short };
    const [first, second] = [
      await app.call('POST', url, request, options),
      await app.call('POST', url, request, options),
    ];
    assert.equal(second.body.uuid, first.body.uuid);
    assert.equal((await caller.ends(first.body.uuid)).result, 'ANSWERED');
  });

  it('faults of the sandbox happen to calls, too', async () => {
    for (const [kind, result] of [
      ['reject', 'REJECTED'],
      ['break', 'FAILED'],
    ] as const) {
      await app.call('POST', '/v2/sandbox/faults/', { carrier: 'sandbox', kind });
      assert.equal((await caller.ends(await caller.starts({ from, to: people.answers }))).result, result);
    }
  });
});
