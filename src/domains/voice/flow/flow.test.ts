import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { holds, lasts, makeCaller, people, soundSeconds } from '../../../../test/kit/voice/caller.ts';

let app: TestApp;
let caller: ReturnType<typeof makeCaller>;
before(async () => {
  app = await startTestApp();
  caller = makeCaller(app);
  await caller.clock({ speed: 25 });
  for (const name of ['notice', 'whisper', 'keep', 'greeting', 'menu']) await caller.upload(name);
  await caller.sound({ text: 'Welcome to our shop.' });
});
after(() => app.close());

const soundsOf = ({ heard }: { heard: { sound: string }[] }) => heard.map(({ sound }) => sound);
const kindsOf = async (uuid: string) => (await caller.steps(uuid)).map(({ event }) => event);
const file = (name: string) => caller.sound({ file: name });

describe('A call to a number', () => {
  it('rings its target, connects both, and ends when one of them hangs up', async () => {
    const number = await caller.number({ target_number: people.answers });
    const uuid = await caller.dials(number);
    const call = await caller.ends(uuid);
    assert.deepEqual(
      [call.direction, call.result, call.hung_up_by, call.sip_code, call.target, call.notes],
      ['INBOUND', 'ANSWERED', 'CALLEE', 200, people.answers, []],
    );
    lasts(call.ring_seconds, 3);
    lasts(call.talk_seconds, 20);
    assert.ok(call.total_seconds >= call.ring_seconds + call.talk_seconds - 1);
    assert.deepEqual(await kindsOf(uuid), [
      'call.started',
      'call.routed',
      'call.ringing',
      'call.answered',
      'call.ended',
    ]);
    const [callee, person] = [await caller.phone(people.answers), await caller.phone(people.caller)];
    assert.deepEqual([callee.other, soundsOf(callee)], [number, ['talk']], 'the target sees our number');
    assert.deepEqual([person.uuid, soundsOf(person)], [uuid, ['ringing', 'talk']]);
    const { body } = await app.call('GET', `/v2/number/${number}/`);
    assert.notEqual(body.last_called, '');
  });

  it('is not forwarded where it would lead back to the number, nor where safeguards refuse', async () => {
    const first = await caller.number({ target_number: people.answers });
    const second = await caller.number({ target_number: first });
    await app.call('PATCH', `/v2/number/${first}/`, { target_number: second });
    const looped = await caller.ends(await caller.dials(first));
    assert.equal(looped.result, 'MISSED');
    await app.call('PATCH', '/v2/account/safeguards/', { blocked_prefixes: [`+${people.answers.replace(/\D/g, '')}`] });
    const refused = await caller.ends(await caller.dials(await caller.number({ target_number: people.answers })));
    assert.equal(refused.result, 'MISSED');
    await app.call('PATCH', '/v2/account/safeguards/', { blocked_prefixes: [] });
    await app.deps.incidents.write();
    const { results } = (await app.call('GET', '/v2/safeguard-incidents/')).body;
    assert.deepEqual(results.map(({ rule }: { rule: string }) => rule).toSorted(), ['FORWARDING_LOOP', 'PREFIX']);
  });

  it('RECORD_CALL: record_call_file is played first, then both are recorded, one channel each', async () => {
    const number = await caller.number({ target_number: people.answers, record_call_file: 'notice' });
    // To write down that it was answered takes a moment, which is to be a small part of what is recorded.
    await caller.clock({ speed: 5 });
    const uuid = await caller.dials(number);
    const call = await caller.ends(uuid);
    await caller.clock({ speed: 25 });
    assert.ok(call.recording_seconds > 0 && call.recording_seconds <= call.talk_seconds + 1);
    assert.equal(call.recording_url, `/v2/voice/calls/${uuid}/recording/`);
    const wav = await app.app.inject({ url: call.recording_url, headers: { authorization: `Token ${app.token}` } });
    assert.deepEqual([wav.statusCode, wav.headers['content-type']], [200, 'audio/wav']);
    const bytes = wav.rawPayload;
    assert.deepEqual([bytes.toString('latin1', 0, 4), bytes.readUInt16LE(20), bytes.readUInt16LE(22)], ['RIFF', 7, 2]);
    holds(bytes.length, call.recording_seconds);
    assert.deepEqual(soundsOf(await caller.phone(people.caller)), [await file('notice'), 'ringing', 'talk']);
    const kinds = await kindsOf(uuid);
    assert.ok(kinds.indexOf('call.recording_ready') > kinds.indexOf('call.recording_started'));
  });

  it('TTS: the text is spoken to the caller before it rings', async () => {
    const number = await caller.number({ target_number: people.answers, tts: 'Welcome to our shop.' });
    const call = await caller.ends(await caller.dials(number));
    const person = await caller.phone(people.caller);
    assert.deepEqual(soundsOf(person), [await caller.sound({ text: 'Welcome to our shop.' }), 'ringing', 'talk']);
    assert.ok(call.total_seconds > call.ring_seconds + call.talk_seconds);
  });

  it('KEEP_NUMBER: the target sees the caller; keep_number_file is played to the caller first', async () => {
    const number = await caller.number({ target_number: people.answers, keep_number_file: 'keep' });
    await caller.ends(await caller.dials(number));
    assert.equal((await caller.phone(people.answers)).other, people.caller);
    assert.deepEqual(soundsOf(await caller.phone(people.caller)), [await file('keep'), 'ringing', 'talk']);
  });

  it('CAPTURE_DIGITS: asks three times at most, keeps what is entered, and tells', async () => {
    const number = await caller.number({ target_number: people.answers, capture_digits_file: 'menu' });
    const uuid = await caller.dials(number, { digits: ',12#9' });
    assert.equal((await caller.ends(uuid)).digits, '12');
    const steps = await caller.steps(uuid);
    assert.equal(steps.filter(({ event }) => event === 'call.digits_asked').length, 2);
    const { data } = steps.find(({ event }) => event === 'call.digits_captured')!;
    assert.deepEqual([data.digits, data.attempt], ['12', 2]);

    const silent = await caller.dials(number);
    const call = await caller.ends(silent);
    assert.deepEqual([call.digits, call.result], ['', 'ANSWERED']);
    const person = await caller.phone(people.caller);
    const menu = await file('menu');
    assert.deepEqual(soundsOf(person).slice(0, 4), [menu, menu, menu, 'ringing']);

    const long = await caller.dials(number, { digits: '123456789012345678901234' });
    assert.equal((await caller.ends(long)).digits, '12345678901234567890', 'twenty, and no # needed');
  });

  it('WHISPER: the target hears whisper_file while the caller still hears ringing', async () => {
    const number = await caller.number({ target_number: people.answers, whisper_file: 'whisper' });
    const call = await caller.ends(await caller.dials(number));
    assert.equal(call.whispered, true);
    assert.deepEqual(soundsOf(await caller.phone(people.answers)), [await file('whisper'), 'talk']);
    const person = await caller.phone(people.caller);
    assert.deepEqual(soundsOf(person), ['ringing', 'talk']);
    assert.ok(person.heard[0].seconds >= 3 + soundSeconds - 0.5, 'it rang during the whisper');
  });

  it('VOICEMAIL_LITE: when nobody answers, voicemail_lite_file, the tone, and a message is kept', async () => {
    const number = await caller.number({ target_number: people.absent, voicemail_lite_file: 'greeting' });
    const uuid = await caller.dials(number, { from: people.leavesVoicemail, hangup_after_seconds: 300 });
    const call = await caller.ends(uuid);
    assert.deepEqual([call.result, call.voicemail, call.hung_up_by], ['VOICEMAIL', true, 'CALLER']);
    lasts(call.ring_seconds, 25);
    lasts(call.recording_seconds, 12);
    assert.equal(call.talk_seconds, 0);
    const person = await caller.phone(people.leavesVoicemail);
    assert.deepEqual(soundsOf(person), ['ringing', await file('greeting'), await caller.sound('tone')]);
    assert.ok((await kindsOf(uuid)).includes('call.voicemail_received'));
    const wav = await app.call('GET', call.recording_url);
    assert.deepEqual([wav.status, wav.headers['content-type']], [200, 'audio/wav']);
  });

  it('a voicemail ends after 120 seconds', async () => {
    const number = await caller.number({ features: ['VOICEMAIL_LITE'] });
    const call = await caller.ends(await caller.dials(number, { hangup_after_seconds: 500 }));
    assert.deepEqual([call.result, call.hung_up_by], ['VOICEMAIL', 'PLATFORM']);
    lasts(call.recording_seconds, 120);
  });

  it('a voicemail that finds the disk full is lost, which the record says; the call goes on', async () => {
    const number = await caller.number({ target_number: people.absent, features: ['VOICEMAIL_LITE'] });
    // Nobody comes as far as the voicemail before the disk is full.
    await caller.clock({ speed: 0 });
    const uuid = await caller.dials(number, { hangup_after_seconds: 500 });
    const directory = path.join(app.deps.config.dataDir, 'recordings', app.accountId);
    await mkdir(directory, { recursive: true });
    await symlink('/dev/full', path.join(directory, uuid));
    await caller.clock({ speed: 25 });
    const call = await caller.ends(uuid);
    assert.deepEqual([call.result, call.voicemail, call.recording_url], ['MISSED', false, null]);
    assert.deepEqual(call.notes, ['The recording is lost.']);
  });

  it('CALL_TRACKING: the record has its label, and whether the caller is new to the number', async () => {
    const number = await caller.number({ target_number: people.busy, call_tracking: 'Spring leaflet' });
    const first = await caller.ends(await caller.dials(number));
    const second = await caller.ends(await caller.dials(number));
    const other = await caller.ends(await caller.dials(number, { from: '+447700900777' }));
    assert.deepEqual(
      [first, second, other].map((call) => [call.call_tracking, call.first_time_caller]),
      [
        ['Spring leaflet', true],
        ['Spring leaflet', false],
        ['Spring leaflet', true],
      ],
    );
    const plain = await caller.number({ target_number: people.busy });
    const untracked = await caller.ends(await caller.dials(plain));
    assert.deepEqual([untracked.call_tracking, untracked.first_time_caller], ['', null]);
  });

  it('a feature that is off does nothing, whatever its field says', async () => {
    const number = await caller.number({
      target_number: people.answers,
      features: [],
      tts: 'Hello',
      record_call_file: 'notice',
      keep_number_file: 'keep',
      capture_digits_file: 'menu',
      whisper_file: 'whisper',
      voicemail_lite_file: 'greeting',
      call_tracking: 'Label',
    });
    const call = await caller.ends(await caller.dials(number, { digits: '1#' }));
    assert.deepEqual([call.digits, call.call_tracking, call.recording_url, call.whispered], ['', '', null, false]);
    assert.deepEqual(soundsOf(await caller.phone(people.caller)), ['ringing', 'talk']);
    const callee = await caller.phone(people.answers);
    assert.deepEqual([callee.other, soundsOf(callee)], [number, ['talk']]);
  });

  it('a missing audio file is skipped and noted, and never drops the call', async () => {
    const number = await caller.number({
      target_number: people.answers,
      record_call_file: 'missing-notice',
      whisper_file: 'missing-whisper',
      capture_digits_file: 'missing-menu',
    });
    const uuid = await caller.dials(number, { digits: '7#' });
    const call = await caller.ends(uuid);
    assert.deepEqual([call.result, call.digits, call.whispered], ['ANSWERED', '7', false]);
    assert.equal(call.notes.length, 3);
    assert.match(call.notes[0], /record_call_file.*"missing-notice".*skipped/);
    assert.equal((await kindsOf(uuid)).filter((kind) => kind === 'call.audio_skipped').length, 3);
    assert.notEqual(call.recording_url, null, 'it is recorded all the same');
  });
});
