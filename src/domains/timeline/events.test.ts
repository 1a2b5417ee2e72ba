import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { onlyPlain } from '../../../test/kit/database.ts';
import { newId } from '../../platform/ids.ts';
import { appendEvents } from './index.ts';
import { events } from './queries.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const happen = (kind: string, subject = newId()) =>
  appendEvents(app.deps.db, [
    { accountId: app.accountId, subjectType: 'number', subject, kind, data: { number: '+1' } },
  ]);
const kindsAt = async (query: string, token = app.token): Promise<string[]> => {
  const { status, body } = await app.call('GET', `/v2/events/?${query}`, undefined, { token });
  assert.equal(status, 200, JSON.stringify(body));
  return body.results.map((event: { kind: string }) => event.kind);
};

describe('GET /v2/events/', () => {
  it('lists everything that happened, newest first, by subject, kind and time', async () => {
    const subject = newId();
    for (const kind of ['number.assigned', 'number.updated', 'number.released']) await happen(kind, subject);
    await happen('number.assigned');
    assert.deepEqual(await kindsAt(`subject=${subject}`), ['number.released', 'number.updated', 'number.assigned']);
    assert.equal((await kindsAt('kind=number.assigned')).length, 2);
    const { body } = await app.call('GET', `/v2/events/?subject=${subject}&ordering=created`);
    const [first, second] = body.results;
    assert.deepEqual(Object.keys(first), ['uuid', 'kind', 'subject_type', 'subject', 'data', 'at']);
    assert.deepEqual([first.subject_type, first.subject, first.data], ['number', subject, { number: '+1' }]);
    assert.deepEqual(await kindsAt(`subject=${subject}&created_before=${second.at}`), ['number.assigned']);
    assert.equal((await kindsAt('page_size=1')).length, 1);
  });

  it('shows nothing of another account; 400 for what is no kind and no subject', async () => {
    assert.deepEqual(await kindsAt('', app.otherToken), []);
    for (const [query, field] of [
      ["kind='; --", 'kind'],
      ['kind=number', 'kind'],
      ['subject=1', 'subject'],
    ] as const) {
      const { status, body } = await app.call('GET', `/v2/events/?${query}`);
      assert.deepEqual([status, Object.keys(body)], [400, [field]]);
    }
  });

  it('tells the beginning of messages and SMS by themselves', async () => {
    const ids = { queued: newId(), received: newId() };
    await sql`insert into messages (account_id, uuid, chatapp_account, direction, type, chatapp_number,
        from_chatapp_number, to_chatapp_number, from_digits, to_digits, message_data)
      select ${app.accountId}, uuid, uuidv7(), direction, 'TEXT', '', '', '', '', '', '{}'
      from (values (${ids.queued}::uuid, 'OUTBOUND'), (${ids.received}::uuid, 'INBOUND')) as given (uuid, direction)`.execute(
      app.deps.db,
    );
    const sms = newId();
    await sql`insert into sms (account_id, uuid, direction, from_number, to_number, from_digits, to_digits, text, encoding, segments)
      values (${app.accountId}, ${sms}, 'INBOUND', '', '', '', '', '', 'GSM', 1)`.execute(app.deps.db);
    await happen('message.sent', ids.queued);
    const seen = async (query: string) => {
      const { body } = await app.call('GET', `/v2/events/?ordering=created&${query}`);
      assert.equal(body.count, body.results.length);
      return body.results.map((event: Record<string, unknown>) => [event['kind'], event['subject']]);
    };
    assert.deepEqual(await seen(`subject=${ids.queued}`), [
      ['message.queued', ids.queued],
      ['message.sent', ids.queued],
    ]);
    assert.deepEqual(await seen('kind=message.queued'), [['message.queued', ids.queued]]);
    assert.deepEqual(await seen(`kind=message.received&subject=${ids.received}`), [['message.received', ids.received]]);
    assert.deepEqual(await seen(`kind=message.queued&subject=${ids.received}`), []);
    assert.deepEqual(await seen('kind=sms.received'), [['sms.received', sms]]);
    const { body } = await app.call('GET', `/v2/events/?subject=${sms}`);
    const { at, ...event } = body.results[0];
    assert.deepEqual(event, {
      uuid: sms,
      kind: 'sms.received',
      subject_type: 'sms',
      subject: sms,
      data: { status: 'RECEIVED' },
    });
    assert.ok(Date.now() - Date.parse(at) < 60_000);
    assert.deepEqual(await kindsAt('', app.otherToken), []);
  });

  it('finds rare kinds through an index', onlyPlain, async () => {
    await sql`insert into events (account_id, uuid, subject_type, subject, kind, data)
      select ${app.accountId}, uuidv7(), 'message', uuidv7(), case when n % 5000 = 0 then 'message.failed' else 'message.read' end, '{}'
      from generate_series(1, 20000) n`.execute(app.deps.db);
    await sql`analyze events`.execute(app.deps.db);
    const planOf = async (kind: string | undefined) =>
      JSON.stringify(
        await events(app.deps.db, app.accountId, kind === undefined ? {} : { kind })
          .orderBy('uuid', 'desc')
          .limit(26)
          .explain('json'),
      );
    for (const kind of ['message.failed', 'number.released', 'nothing.of_the_kind']) {
      assert.match(await planOf(kind), /"Index Cond":"[^"]*kind = /, kind);
    }
    for (const kind of ['message.read', undefined]) {
      assert.doesNotMatch(await planOf(kind), /Seq Scan|"Node Type":"Sort"/, kind ?? 'all');
    }
    for (const kind of ['message.queued', 'sms.received']) {
      const plan = await planOf(kind);
      assert.match(plan, /"Index Cond":"[^"]*direction = /, kind);
      assert.doesNotMatch(plan, /"Relation Name":"events|"Node Type":"Sort"/, kind);
    }
  });
});
