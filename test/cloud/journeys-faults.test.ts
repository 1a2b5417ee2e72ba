// Each way in which the platform can fail to answer a message, one at a time.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { earlier } from '../kit/postgres/earlier.ts';
import { until } from '../kit/until.ts';
import { type Gate, startGate } from './gate.ts';
import { openWindows } from './outbound-props.ts';
import { type CloudStage, latestFirst, startCloudStage } from './stage.ts';

const env = { CLOUD_API_TIMEOUT_SECONDS: '1' };
const people = Array.from({ length: 12 }, (_, at) => `+3460000${4000 + at}`);

/** What a test asks of its stage. */
function eyesOn(stage: CloudStage) {
  const unused = [...people];
  const read = async (uuid: string) => (await stage.app.call('GET', `/v2/chatapp/messages/${uuid}/`)).body;
  return {
    /** A message to somebody who got none before. */
    async send() {
      const to = unused.shift()!;
      const answer = await stage.send({ to_chatapp_number: to, type: 'TEXT', text: { body: 'Hello' } });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return { to, uuid: answer.body['uuid']! as string };
    },
    read,
    /** The message, once its description says so. */
    says: (uuid: string, what: RegExp) =>
      until(`${uuid} says ${what}`, async () => {
        const message = await read(uuid);
        return what.test(message.status_description) ? message : undefined;
      }),
    async log(uuid: string) {
      const { body } = await stage.app.call('GET', `/v2/chatapp/messages/${uuid}/status-logs/`);
      return body.results.map((step: { status: string; applied: boolean }) => [step.status, step.applied]);
    },
    /** Requests that named the person. */
    asked: (to: string) =>
      stage.simulator.received.filter(
        ({ url, body }) => url.endsWith('/messages') && JSON.parse(body.toString()).to === to,
      ),
    /** Messages that the person got. */
    got: (to: string) =>
      stage.simulator
        .person(to)
        .messages()
        .filter(({ direction }) => direction === 'out'),
    async rateTokens() {
      const { rate_tokens } = await stage.app.deps.db
        .selectFrom('chatapp_accounts')
        .select('rate_tokens')
        .where('uuid', '=', stage.account.uuid)
        .executeTakeFirstOrThrow();
      return rate_tokens;
    },
    /** Every accepted message is somewhere, and nobody got one twice. */
    async nothingIsLostOrDoubled(waiting: number) {
      const { body } = await stage.app.call('GET', '/v2/account/ledger/');
      const sent = people.length - unused.length;
      const { sms: _sms, ...ledger } = body;
      assert.deepEqual(ledger, {
        accepted: sent,
        final: { delivered: 0, read: sent - waiting, failed: 0, cancelled: 0 },
        pending: { queued: waiting, sent: 0 },
        unaccounted: 0,
      });
      for (const to of people) assert.ok(this.got(to).length <= 1, to);
    },
  };
}

const isUnknown = / It waits for its receipt\.$/;

describe('A platform that', () => {
  let stage: CloudStage;
  let eyes: ReturnType<typeof eyesOn>;
  before(async () => {
    stage = await startCloudStage({}, env);
    eyes = eyesOn(stage);
    await openWindows(stage, people);
  });
  after(() => stage.close());

  test('answers 500 with a reason is asked again', async () => {
    stage.simulator.faults.next(1, { kind: 'error', code: 131016 });
    const { to, uuid } = await eyes.send();
    await stage.reaches(uuid, 'READ');
    // What it said meanwhile is gone from the message; the timeline has it.
    const { body } = await stage.app.call('GET', `/v2/events/?subject=${uuid}&kind=message.postponed`);
    assert.match(JSON.stringify(body.results), /\(131016\)/);
    assert.deepEqual(
      eyes.asked(to).map(({ status }) => status),
      [500, 200],
    );
    assert.equal(eyes.got(to).length, 1);
  });

  for (const kind of ['hang', 'reset'] as const) {
    test(`takes nothing and does not answer (${kind}) is not asked again, and the message says so`, async () => {
      stage.simulator.faults.next(1, { kind });
      const { to, uuid } = await eyes.send();
      const message = await eyes.says(uuid, isUnknown);
      assert.equal(message.status, 'QUEUED');
      // What comes after it finds the way, so this one would have too.
      await stage.reaches((await eyes.send()).uuid, 'READ');
      assert.deepEqual([eyes.asked(to).length, eyes.got(to).length], [1, 0]);
      assert.deepEqual(await eyes.read(uuid), message);
    });
  }

  for (const fault of [{ kind: 'lost-answer' }, { kind: 'late', delayMs: 3_000_000 }] as const) {
    test(`takes it and answers nobody (${fault.kind}): the receipts tell, in whatever order`, async () => {
      stage.simulator.webhooks.hold();
      stage.simulator.faults.next(1, fault);
      const { to, uuid } = await eyes.send();
      assert.equal((await eyes.says(uuid, isUnknown)).status, 'QUEUED');
      const [taken] = eyes.got(to);
      await until('the platform has said everything', async () => taken?.statuses.length === 3);
      stage.simulator.webhooks.release(latestFirst);
      const { status_description } = await stage.reaches(uuid, 'READ');
      assert.equal(status_description, '');
      await until('all statuses are read', async () => (await eyes.log(uuid)).length === 5);
      assert.deepEqual(await eyes.log(uuid), [
        ['QUEUED', true],
        ['SENT', true],
        ['READ', true],
        ['DELIVERED', false],
        ['SENT', false],
      ]);
      assert.deepEqual([eyes.asked(to).length, eyes.got(to).length], [1, 1]);
    });
  }

  test('did all of this got everything once, but for two that wait', () => eyes.nothingIsLostOrDoubled(2));
});

describe('Behind a proxy, a platform that', () => {
  let gate: Gate;
  let stage: CloudStage;
  let eyes: ReturnType<typeof eyesOn>;
  before(async () => {
    gate = await startGate();
    stage = await startCloudStage({}, { ...env, CLOUD_API_URL: gate.url });
    gate.target = stage.simulator.url;
    eyes = eyesOn(stage);
    await openWindows(stage, people);
  });
  after(async () => {
    await stage.close();
    await gate.close();
  });

  const silent: [title: string, answer: Gate['answers'][number]][] = [
    ['500 without a body', { status: 500 }],
    ['502 with a page', { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' }],
    ['200 without an id', { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' }],
  ];
  for (const [title, answer] of silent) {
    test(`answers ${title} may have taken it: it is not asked again, and the message says so`, async () => {
      gate.answers.push(answer);
      const { to, uuid } = await eyes.send();
      assert.equal((await eyes.says(uuid, isUnknown)).status, 'QUEUED');
      await stage.reaches((await eyes.send()).uuid, 'READ');
      assert.equal((await eyes.read(uuid)).status, 'QUEUED');
      assert.deepEqual([gate.refused.filter((one) => one.to === to).length, eyes.asked(to).length], [1, 0]);
    });
  }

  test('answers 503 without a body has taken nothing, and is asked again', async () => {
    gate.answers.push({ status: 503 });
    const { to, uuid } = await eyes.send();
    await stage.reaches(uuid, 'READ');
    assert.deepEqual([eyes.asked(to).length, eyes.got(to).length], [1, 1]);
  });

  test('answers 429 with 130429 slows the whole number down, and gets everything later', async (t) => {
    const errors = t.mock.method(stage.app.deps.log, 'error');
    const error = { code: 130429, message: '(#130429) Rate limit hit', type: 'OAuthException' };
    const headers = { 'content-type': 'application/json', 'retry-after': '3' };
    gate.answers.push({ status: 429, headers, body: JSON.stringify({ error }) });
    const first = await eyes.send();
    const { status } = await eyes.says(first.uuid, /\(130429\)/);
    assert.equal(status, 'QUEUED');
    const tokens = await until('the number is slowed down', async () => {
      const tokens = await eyes.rateTokens();
      return tokens < 0 ? tokens : undefined;
    });
    assert.ok(tokens >= -3 * 10_000, `${tokens} is no more than three seconds of its rate`);
    const second = await eyes.send();
    for (const { uuid } of [first, second]) await stage.reaches(uuid, 'READ');
    const toldAt = gate.refused.find(({ to }) => to === first.to)!.at;
    for (const { to } of [first, second]) {
      const [request, ...others] = eyes.asked(to);
      assert.equal(others.length, 0);
      assert.ok(request!.at.getTime() - toldAt > 2_900, 'nothing left before the pause was over');
    }
    assert.equal(errors.mock.callCount(), 0, 'to wait is no error');
  });

  test('no longer takes the token holds everything back, until the number has another', async () => {
    const { simulator, app } = stage;
    simulator.expireToken(simulator.token);
    const { to, uuid } = await eyes.send();
    const { status } = await eyes.says(uuid, /does not take the access token/);
    assert.equal(status, 'QUEUED');
    await until('the number is held back', async () => (await eyes.rateTokens()) < 0);
    simulator.world.tokens.set('another-token', { expired: false });
    const url = `/v2/chatapp/accounts/${stage.account.uuid}/`;
    assert.equal((await app.call('PATCH', url, { access_token: 'another-token' })).status, 200);
    await passHalfAMinute(uuid);
    await stage.reaches(uuid, 'READ');
    assert.deepEqual(
      eyes.asked(to).map(({ status, headers }) => [status, headers['authorization']]),
      [
        [401, `Bearer ${simulator.token}`],
        [200, 'Bearer another-token'],
      ],
    );
  });

  test('did all of this got everything once, but for three that wait', () => eyes.nothingIsLostOrDoubled(3));

  async function passHalfAMinute(uuid: string): Promise<void> {
    const { db } = stage.app.deps;
    await sql`update message_states set due_at = ${earlier(sql`due_at`, '36 seconds')} where uuid = ${uuid}`.execute(
      db,
    );
    await sql`update chatapp_accounts set rate_at = ${earlier(sql`rate_at`, '30 seconds')}
      where uuid = ${stage.account.uuid}`.execute(db);
  }
});
