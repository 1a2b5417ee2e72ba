import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { stageOf } from '../../../test/kit/jobs/job-stage.ts';
import { eventsOf } from '../timeline/index.ts';
import { startJobs } from './index.ts';

describe('Jobs of every type', { timeout: 1_800_000 }, () => {
  let app: TestApp;
  let stage: ReturnType<typeof stageOf>;
  let jobs: ReturnType<typeof startJobs>;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
    stage = stageOf(app);
    jobs = startJobs(app.deps);
  });
  after(async () => {
    await jobs.stop();
    await app.close();
  });

  const countOf = async (url: string): Promise<number> => (await app.call('GET', url)).body.count;

  it('numbers.create › any count, each a number of its own', async () => {
    const id = await stage.submit('numbers.create', { count: 120, item: { country_code: 'GB', tts: 'Hello' } });
    const job = await stage.ended(id);
    assert.deepEqual([job.status, job.result, job.errors], ['SUCCEEDED', { succeeded: 120, failed: 0 }, []]);
    assert.deepEqual(job.progress, { done: 120, total: 120 });
    const results = await stage.results(id);
    assert.deepEqual(
      results.map(({ index }) => index),
      Array.from({ length: 120 }, (_, index) => index),
    );
    assert.equal(new Set(results.map(({ value }) => value.number)).size, 120);
    const stored = (await app.call('GET', `/v2/number/${results[7].value.number}/`)).body;
    assert.deepEqual(stored, { ...results[7].value, tts_language: 'en' });
    const kinds = (await eventsOf(app.deps.db, app.accountId, id).orderBy('uuid').execute()).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['job.queued', 'job.started', 'job.finished']);
  });

  it('numbers.create › what cannot be bought stands in its place, and the others are bought', async () => {
    const items = [
      { country_code: 'FR' },
      { country_code: 'TV' },
      { country_code: 'FR', webhooks: ['nobody'] },
      { country_code: 'FR', call_tracking: 'Web' },
    ];
    const id = await stage.submit('numbers.create', { items });
    const job = await stage.ended(id);
    assert.deepEqual([job.status, job.result], ['SUCCEEDED', { succeeded: 2, failed: 2 }]);
    assert.deepEqual(job.errors, [
      { index: 1, error: { detail: 'No number matches.', code: 'no_numbers_available' } },
      { index: 2, error: { webhooks: { 0: ['Webhook "nobody" does not exist.'] } } },
    ]);
    const [first, second, , last] = await stage.results(id);
    assert.deepEqual([first.ok, second.ok, second.error.code], [true, false, 'no_numbers_available']);
    assert.equal(last.value.call_tracking, 'Web');
    assert.equal(await countOf('/v2/number/?country=FR'), 2);
    assert.deepEqual(
      (await stage.results(id, '&ok=false')).map(({ index }) => index),
      [1, 2],
    );
    assert.deepEqual(
      (await stage.results(id, '&ok=true')).map(({ index }) => index),
      [0, 3],
    );
  });

  it('numbers.update › changes what is named; a number that is not there stands in its place', async () => {
    const bought = await stage.submit('numbers.create', { count: 60, item: { country_code: 'US', tts: 'Before' } });
    await stage.ended(bought);
    const numbers: string[] = (await stage.results(bought)).map(({ value }) => value.number);
    const items = numbers.map((number, place) => ({ number, call_tracking: `Place ${place}` }));
    items.splice(30, 0, { number: '+15005550000', call_tracking: 'Nowhere' });
    const id = await stage.submit('numbers.update', { items });
    const job = await stage.ended(id);
    assert.deepEqual([job.status, job.result], ['SUCCEEDED', { succeeded: 60, failed: 1 }]);
    assert.deepEqual(job.errors, [{ index: 30, error: { number: ['Not found.'] } }]);
    const last = (await app.call('GET', `/v2/number/${numbers[59]}/`)).body;
    assert.deepEqual([last.call_tracking, last.tts], ['Place 59', 'Before']);
  });

  it('messages.send › one that cannot be stored does not cost the others theirs, nor a sender that is new to all of them', async () => {
    const { db } = app.deps;
    await sql`alter table messages add constraint closed check (to_digits <> '447700900508') not valid`.execute(db);
    const messages = ['+447700900507', '+447700900508', '+447700900509'].map((to_chatapp_number) => ({
      ...{ chatapp_number: '+447700900077', to_chatapp_number },
      ...{ type: 'TEMPLATE', template: { template_name: 'welcome' } },
    }));
    const id = await stage.submit('messages.send', { messages });
    await stage.ended(id);
    await sql`alter table messages drop constraint closed`.execute(db);
    assert.deepEqual(
      (await stage.results(id)).map(({ ok }) => ok),
      [true, false, true],
    );
  });

  it('messages.send › messages are queued; refusals are what the single request would have answered', async () => {
    await app.call('POST', '/v2/opt-outs/', { phone_number: '+447700900502', channel: 'CHATAPP' });
    const message = (to: string, more = {}) => ({
      chatapp_number: '+447700900001',
      to_chatapp_number: to,
      type: 'TEMPLATE',
      template: { template_name: 'welcome' },
      ...more,
    });
    const strange = { context: { message_uuid: '01890000-0000-7000-8000-000000000000' } };
    const id = await stage.submit('messages.send', {
      messages: [
        message('+447700900501'),
        message('+447700900502'),
        message('+447700900503', strange),
        message('+447700900504'),
      ],
    });
    const job = await stage.ended(id);
    const results = await stage.results(id);
    assert.deepEqual(
      results.map(({ ok }) => ok),
      [true, false, false, true],
    );
    const [optedOut, quoting] = job.errors;
    assert.deepEqual([optedOut.index, optedOut.error.code], [1, 'recipient_opted_out']);
    assert.deepEqual([quoting.index, Object.keys(quoting.error)], [2, ['context']]);
    for (const { value } of [results[0], results[3]]) {
      assert.equal(value.status, 'QUEUED');
      assert.equal((await app.call('GET', `/v2/chatapp/messages/${value.uuid}/`)).status, 200);
    }
    assert.equal(await countOf('/v2/chatapp/messages/?to=%2B447700900502'), 0);
  });

  it('sms.send › ten thousand of one text: each has its result, each is there once', async () => {
    const to = Array.from({ length: 10_000 }, (_, index) => `+4479${String(index).padStart(8, '0')}`);
    const id = await stage.submit('sms.send', { from: 'Parley', to, text: 'We are open on Sunday.' });
    const job = await stage.ended(id);
    assert.deepEqual(
      [job.status, job.result, job.progress],
      ['SUCCEEDED', { succeeded: 10_000, failed: 0 }, { done: 10_000, total: 10_000 }],
    );
    const results = await stage.results(id);
    assert.ok(results.every(({ index, ok }, place) => index === place && ok));
    assert.equal(new Set(results.map(({ value }) => value.uuid)).size, 10_000);
    const { count } = await app.deps.db
      .selectFrom('sms')
      .select(({ fn }) => fn.count<number>('to_digits').distinct().as('count'))
      .where('account_id', '=', app.accountId)
      .where('text', '=', 'We are open on Sunday.')
      .executeTakeFirstOrThrow();
    assert.equal(count, 10_000);
    const some = (await app.call('GET', `/v2/send-sms/${results[4321].value.uuid}/`)).body;
    assert.equal(some.to, to[4321]);
  });

  it('sms.send › each with its own text; one that is too long stands in its place', async () => {
    const messages = [
      { from: 'Parley', to: '+447700900601', text: 'One' },
      { from: 'Parley', to: '+447700900602', text: 'x'.repeat(9000) },
    ];
    const id = await stage.submit('sms.send', { messages });
    const { errors } = await stage.ended(id);
    assert.deepEqual([errors.length, errors[0].index, Object.keys(errors[0].error)], [1, 1, ['text']]);
  });

  it('opt_outs.import › of a list: each with its record, nobody twice', async () => {
    const opt_outs = [
      { phone_number: '+447700900701', text: 'By letter' },
      { phone_number: '+447700900702', channel: 'SMS' },
      { phone_number: '44 7700 900701' },
    ];
    const id = await stage.submit('opt_outs.import', { opt_outs });
    const job = await stage.ended(id);
    assert.deepEqual(job.result, { succeeded: 3, failed: 0 });
    const [first, second, again] = await stage.results(id);
    assert.deepEqual(first.value.uuid, again.value.uuid);
    assert.deepEqual([second.value.channel, second.value.source], ['SMS', 'API']);
    assert.equal(await countOf('/v2/opt-out-events/?number=447700900701'), 1);
  });

  it('chat_intros.upsert › created, replaced, and refused each for itself', async () => {
    const number = '+447700900001';
    const items = [
      { chatapp_number: number, reference_id: 'bulk-1' },
      { chatapp_number: number, reference_id: 'bulk-2', notify_type: 'CHATAPP' },
      { chatapp_number: number, reference_id: 'bulk-1', reply_message_template: 'Second' },
    ];
    const id = await stage.submit('chat_intros.upsert', { items });
    assert.deepEqual((await stage.ended(id)).result, { succeeded: 2, failed: 1 });
    const [first, refused, again] = await stage.results(id);
    assert.deepEqual([first.value.created, again.value.created, again.value.uuid], [true, false, first.value.uuid]);
    assert.deepEqual(Object.keys(refused.error ?? refused.value).toSorted(), [
      'notify_chatapp_template_name',
      'notify_to_phone_number',
    ]);
    assert.equal(
      (await app.call('GET', `/v2/chatapp/chat-intros/${first.value.uuid}/`)).body.reply_message_template,
      'Second',
    );
  });
});
