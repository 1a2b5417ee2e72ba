import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { until } from '../../../../test/kit/until.ts';
import { lasts, makeCaller, people } from '../../../../test/kit/voice/caller.ts';

let app: TestApp;
let caller: ReturnType<typeof makeCaller>;
before(async () => {
  app = await startTestApp();
  caller = makeCaller(app);
  await caller.clock({ speed: 25 });
  for (const name of ['notice', 'whisper', 'greeting', 'menu']) await caller.upload(name);
  // Made once and kept: the first time takes longer than the fast clock of these tests allows.
  await caller.sound({ text: 'Welcome.' });
});
after(() => app.close());

/** How a call to a number with these settings ends. */
async function endOf(settings: object, more: object = {}) {
  const uuid = await caller.dials(await caller.number(settings), more);
  return caller.ends(uuid);
}
const summary = ({ result, hung_up_by, sip_code }: { result: string; hung_up_by: string; sip_code: number }) =>
  `${result} ${hung_up_by} ${sip_code}`;

/** Rings these numbers at once, then goes to the fallback, if there is one. */
async function routed(number: string, destinations: object[], fallback: object | null = null): Promise<void> {
  const { status, body } = await app.call('POST', '/v2/routing-configs/', {
    name: 'Calls',
    channel: 'VOICE',
    numbers: [number],
    routes: destinations.map((destination) => ({ destination })),
    fallback,
  });
  assert.equal(status, 201, JSON.stringify(body));
}

describe('The result of a call', () => {
  it('says what became of it', async () => {
    for (const [target, expected] of [
      [people.short, 'ANSWERED CALLEE 200'],
      [people.absent, 'MISSED PLATFORM 480'],
      [people.refuses, 'MISSED PLATFORM 480'],
      [people.unreachable, 'MISSED PLATFORM 480'],
      [people.busy, 'BUSY CALLEE 486'],
      [people.breaks, 'ANSWERED NETWORK 408'],
      ['', 'MISSED PLATFORM 480'],
    ] as const) {
      assert.equal(summary(await endOf({ target_number: target })), expected, target);
    }
  });

  it('is REJECTED with 404 for a number that the account does not have, or has released', async () => {
    const number = await caller.number({ target_number: people.answers });
    assert.equal((await app.call('DELETE', `/v2/number/${number}/`)).status, 204);
    for (const to of [number, '+442079469999']) {
      const { status, body } = await app.call('POST', '/v2/sandbox/calls/', { from: people.caller, to });
      assert.deepEqual([status, body.status, summary(body)], [201, 'ENDED', 'REJECTED PLATFORM 404']);
    }
  });

  it('is REJECTED for a number without the capability VOICE', async () => {
    const number = await caller.number({ target_number: people.answers });
    // The sandbox gives none away that cannot be called.
    await sql`update numbers set capabilities = '{SMS}' where number = ${number}`.execute(app.deps.db);
    const { body } = await app.call('POST', '/v2/sandbox/calls/', { from: people.caller, to: number });
    assert.equal(summary(body), 'REJECTED PLATFORM 404');
  });

  it('country_code and prefix: the target sees a number of there, and the record has it', async () => {
    const wanted = { country_code: 'GB', prefix: '161', target_number: people.answers };
    const { number } = (await app.call('POST', '/v2/number/', wanted)).body;
    assert.match(number, /^\+44161/);
    const call = await caller.ends(await caller.dials(number));
    assert.deepEqual([call.number, call.result], [number, 'ANSWERED']);
    assert.equal((await caller.phone(people.answers)).other, number);
  });

  it('is ABANDONED when the caller hangs up while it rings, and the phone falls silent', async () => {
    const call = await endOf({ target_number: people.absent }, { hangup_after_seconds: 6 });
    assert.equal(summary(call), 'ABANDONED CALLER 487');
    lasts(call.ring_seconds, 6);
    assert.equal((await caller.phone(people.absent)).outcome, 'not answered (487)');
  });

  it('is ABANDONED in every other step before the talk, and ANSWERED in the talk', async () => {
    const everything = {
      target_number: people.leavesVoicemail,
      tts: 'Welcome.',
      record_call_file: 'notice',
      capture_digits_file: 'menu',
      whisper_file: 'whisper',
    };
    const results = new Set<string>();
    // The notice takes 4 s, the text about 1, the menu 1.4 and more, ringing 15, the whisper 4; the callee would hang up 30 s
    // after answering. A slow machine only makes all of that later.
    for (const hangup_after_seconds of [0, 2, 4.5, 7, 14, 23.5, 45]) {
      const call = await endOf(everything, { digits: '1#', hangup_after_seconds });
      results.add(call.result);
      assert.equal(call.hung_up_by, 'CALLER', `after ${hangup_after_seconds} seconds: ${call.result}`);
      lasts(call.total_seconds, hangup_after_seconds);
    }
    assert.deepEqual([...results], ['ABANDONED', 'ANSWERED']);
    const left = await endOf(
      { target_number: people.busy, voicemail_lite_file: 'greeting' },
      { hangup_after_seconds: 3 },
    );
    assert.deepEqual([left.result, left.recording_url], ['ABANDONED', null], 'during the greeting');
  });

  it('follows the routing config: several ring at once, the first to answer wins', async () => {
    const number = await caller.number({ target_number: people.busy });
    await routed(number, [{ type: 'NUMBER', numbers: [people.late, people.answers, people.absent], ring_seconds: 30 }]);
    const uuid = await caller.dials(number);
    const call = await caller.ends(uuid);
    assert.deepEqual([call.result, call.target, call.route], ['ANSWERED', people.answers, 'route 1']);
    lasts(call.ring_seconds, 3);
    for (const phone of [people.late, people.absent]) {
      const { outcome, started } = await caller.phone(phone);
      assert.ok(started >= call.started);
      assert.equal(outcome, 'not answered (487)', phone);
    }
  });

  it('goes on with the next route when one is busy, refuses or does not answer, then with the fallback', async () => {
    const number = await caller.number({ target_number: people.answers });
    const routes = [people.busy, people.refuses, people.absent].map((one) => ({
      type: 'NUMBER',
      numbers: [one],
      ring_seconds: 10,
    }));
    await routed(number, routes, { type: 'NUMBER', numbers: [people.short] });
    const uuid = await caller.dials(number);
    const call = await caller.ends(uuid);
    assert.deepEqual([call.result, call.target, call.route], ['ANSWERED', people.short, 'fallback']);
    lasts(call.ring_seconds, 1 + 4 + 10 + 3);
    const refused = (await caller.steps(uuid)).filter(({ event }) => event === 'call.not_answered');
    assert.deepEqual(
      refused.map(({ data }) => data.outcome),
      ['busy', 'refused', 'unanswered'],
    );
  });

  it('the digits that were captured decide the route', async () => {
    const number = await caller.number({ capture_digits_file: 'menu' });
    await app.call('POST', '/v2/routing-configs/', {
      name: 'Menu',
      channel: 'VOICE',
      numbers: [number],
      routes: [
        { name: 'sales', conditions: { digits: ['1'] }, destination: { type: 'NUMBER', numbers: [people.short] } },
        { name: 'closed', conditions: { digits: ['2'] }, destination: { type: 'HANGUP' } },
        { name: 'news', conditions: { digits: ['3'] }, destination: { type: 'AUDIO', audio_file: 'greeting' } },
        { name: 'box', conditions: { digits: ['4'] }, destination: { type: 'VOICEMAIL' } },
      ],
    });
    const dial = async (digits: string) => caller.ends(await caller.dials(number, { digits }));
    assert.deepEqual((await dial('1#')).route, 'sales');
    assert.equal(summary(await dial('2#')), 'REJECTED PLATFORM 603');
    const news = await dial('3#');
    assert.equal(summary(news), 'ANSWERED PLATFORM 200');
    lasts(news.talk_seconds, 4);
    assert.equal((await dial('4#')).result, 'VOICEMAIL');
    assert.equal((await dial('9#')).result, 'MISSED', 'no route, and no target');
  });

  it('a called person who hangs up during the whisper has refused', async () => {
    const number = await caller.number({ target_number: people.answers, whisper_file: 'whisper' });
    await routed(number, [
      { type: 'NUMBER', numbers: [people.short] },
      { type: 'NUMBER', numbers: [people.answers] },
    ]);
    const call = await caller.ends(await caller.dials(number));
    assert.deepEqual([call.result, call.target], ['ANSWERED', people.answers]);
    const alone = await endOf({ target_number: people.short, whisper_file: 'whisper' });
    assert.deepEqual([alone.result, alone.description], ['MISSED', 'Hung up during the whisper']);
  });
});

describe('POST /v2/voice/calls/{uuid}/hangup/', () => {
  it('ends a call while it rings, and while people talk; 409 when it is over', async () => {
    await caller.clock({ speed: 1 });
    const ringing = await caller.dials(await caller.number({ target_number: people.absent }));
    const rings = async (uuid: string) => (await caller.steps(uuid)).some(({ event }) => event === 'call.ringing');
    await until(() => rings(ringing), Boolean);
    assert.equal((await app.call('POST', `/v2/voice/calls/${ringing}/hangup/`)).status, 202);
    assert.equal(summary(await caller.ends(ringing)), 'ABANDONED API 487');

    const talking = await caller.dials(await caller.number({ target_number: people.answers }));
    await until(() => rings(talking), Boolean);
    await caller.clock({ advance_seconds: 4 });
    await caller.reaches(talking, 'IN_PROGRESS');
    assert.equal((await app.call('POST', `/v2/voice/calls/${talking}/hangup/`)).status, 202);
    assert.equal(summary(await caller.ends(talking)), 'ANSWERED API 200');
    const again = await app.call('POST', `/v2/voice/calls/${talking}/hangup/`);
    assert.deepEqual([again.status, again.body.code], [409, 'call_ended']);
    const theirs = await app.call('POST', `/v2/voice/calls/${talking}/hangup/`, undefined, { token: app.otherToken });
    assert.equal(theirs.status, 404);
  });

  it('the clock that is stepped lets a whole call pass at once, each step in its time', async () => {
    const uuid = await caller.dials(
      await caller.number({ target_number: people.absent, voicemail_lite_file: 'greeting' }),
    );
    await until(async () => (await caller.steps(uuid)).some(({ event }) => event === 'call.ringing'), Boolean);
    await caller.clock({ advance_seconds: 3600 });
    const call = await caller.ends(uuid);
    assert.equal(call.result, 'VOICEMAIL');
    lasts(call.ring_seconds, 25);
    lasts(call.total_seconds, 60);
  });
});
