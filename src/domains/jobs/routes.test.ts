import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { stageOf } from '../../../test/kit/jobs/job-stage.ts';
import { eventsOf } from '../timeline/index.ts';

const message = {
  chatapp_number: '+447700900001',
  to_chatapp_number: '+447700900123',
  type: 'TEMPLATE',
  template: { template_name: 'welcome' },
};
const sms = { from: 'Parley', to: ['+447700900123'], text: 'Hello' };

describe('/v3/jobs/ with nobody to do them', () => {
  let app: TestApp;
  let stage: ReturnType<typeof stageOf>;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
    stage = stageOf(app);
  });
  after(() => app.close());

  const refusedAs = async (body: object, errors: object) => {
    const answer = await app.call('POST', '/v3/jobs/', body);
    assert.deepEqual([answer.status, answer.body], [400, errors]);
  };

  it('POST › 202 with the job, where to look after it, and an event', async () => {
    const answer = await app.call('POST', '/v3/jobs/', { type: 'sms.send', input: sms });
    assert.equal(answer.status, 202);
    const { id, created, ...rest } = answer.body;
    assert.deepEqual(rest, { type: 'sms.send', status: 'QUEUED' });
    assert.match(String(answer.headers['location']), new RegExp(`^http.*/v3/jobs/${id}/$`));
    assert.deepEqual(await stage.job(id), {
      ...answer.body,
      progress: { done: 0, total: 1 },
      result: null,
      reason: '',
      errors: [],
      callback_url: null,
      started: null,
      finished: null,
    });
    const events = await eventsOf(app.deps.db, app.accountId, id).execute();
    assert.deepEqual(
      events.map(({ kind, subject_type }) => [kind, subject_type]),
      [['job.queued', 'job']],
    );
    assert.ok(created);
  });

  it('POST › the same Idempotency-Key makes one job', async () => {
    const headers = { 'idempotency-key': 'one-job' };
    const body = { type: 'sms.send', input: sms };
    const first = await app.call('POST', '/v3/jobs/', body, { headers });
    const again = await app.call('POST', '/v3/jobs/', body, { headers });
    assert.deepEqual([again.status, again.body], [202, first.body]);
    assert.equal(again.headers['location'], first.headers['location']);
  });

  it('POST › 400 that names the field, nested as the input is', async () => {
    const required = ['This field is required.'];
    await refusedAs({ input: {} }, { type: required });
    await refusedAs({ type: 'fax.send', input: {} }, { type: ['"fax.send" is not a valid choice.'] });
    await refusedAs({ type: 'messages.send' }, { input: required });
    await refusedAs({ type: 'messages.send', input: {} }, { input: { messages: required } });
    await refusedAs(
      { type: 'messages.send', input: { messages: [message, { ...message, to_chatapp_number: 'x' }] } },
      {
        input: { messages: [{}, { to_chatapp_number: ['Enter a valid phone number.'] }] },
      },
    );
    await refusedAs(
      { type: 'messages.send', input: { messages: [] } },
      { input: { messages: ['This list may not be empty.'] } },
    );
    await refusedAs({ type: 'sms.send', input: {} }, { input: { from: required, to: required, text: required } });
    await refusedAs(
      { type: 'sms.send', input: { ...sms, messages: [{ ...sms, to: sms.to[0] }] } },
      { input: { non_field_errors: ['Give either messages or to.'] } },
    );
    await refusedAs(
      { type: 'sms.send', input: { ...sms, to: ['+447700900123', '12'] } },
      { input: { to: { 1: ['Enter a valid phone number.'] } } },
    );
    await refusedAs({ type: 'numbers.create', input: {} }, { input: { items: required } });
    await refusedAs({ type: 'numbers.create', input: { count: 3 } }, { input: { item: required } });
    await refusedAs(
      { type: 'numbers.create', input: { count: 3, item: {} } },
      { input: { item: { country_code: required } } },
    );
    await refusedAs(
      { type: 'numbers.create', input: { items: [{ country_code: 'GB' }, { prefix: '20' }] } },
      { input: { items: [{}, { country_code: required }] } },
    );
    await refusedAs(
      { type: 'numbers.create', input: { items: [{ country_code: 'GB' }], count: 2 } },
      { input: { non_field_errors: ['Give either items, or count and item.'] } },
    );
    await refusedAs(
      { type: 'numbers.create', input: { count: 10_001, item: { country_code: 'GB' } } },
      { input: { count: ['Ensure this value is less than or equal to 10000.'] } },
    );
    await refusedAs(
      { type: 'numbers.update', input: { items: [{ tts: 'x' }] } },
      { input: { items: [{ number: required }] } },
    );
    await refusedAs(
      { type: 'opt_outs.import', input: { opt_outs: [{ phone_number: '+447700900123', channel: 'FAX' }] } },
      { input: { opt_outs: [{ channel: ['"FAX" is not a valid choice.'] }] } },
    );
    await refusedAs(
      { type: 'sms.send', input: sms, callback_url: 'http://127.0.0.1/x' },
      { callback_url: ["This is not a public address. The server's setting WEBHOOK_ALLOW can allow it."] },
    );
  });

  it('POST › 400 for a message whose content is wrong beyond its form, in its place', async () => {
    const odd = {
      ...message,
      type: 'REACTION',
      reaction: { message_uuid: '01890000-0000-7000-8000-000000000000', emoji: '👍' },
      context: { message_uuid: '01890000-0000-7000-8000-000000000000' },
    };
    await refusedAs(
      { type: 'messages.send', input: { messages: [message, odd] } },
      { input: { messages: [{}, { context: ['A reaction takes no context.'] }] } },
    );
  });

  it('POST › 413 for more than 1 MiB', async () => {
    const messages = Array.from({ length: 10_000 }, () => message);
    const answer = await app.call('POST', '/v3/jobs/', { type: 'messages.send', input: { messages } });
    assert.deepEqual([answer.status, answer.body.code], [413, 'payload_too_large']);
  });

  it('POST › 403 for a token that could not do it without a job; so are the results for one that could not read them', async () => {
    const tokenWith = async (...scopes: string[]) =>
      (await app.call('POST', '/v2/auth/tokens/', { name: 'Narrow', scopes })).body.token;
    const narrow = { token: await tokenWith('jobs:write', 'jobs:read', 'chatapp:write') };
    const refused = await app.call('POST', '/v3/jobs/', { type: 'sms.send', input: sms }, narrow);
    assert.deepEqual([refused.status, refused.body.code], [403, 'permission_denied']);
    const allowed = await app.call(
      'POST',
      '/v3/jobs/',
      { type: 'messages.send', input: { messages: [message] } },
      narrow,
    );
    assert.equal(allowed.status, 202);
    const id = await stage.submit('sms.send', sms);
    assert.equal((await app.call('GET', `/v3/jobs/${id}/`, undefined, narrow)).status, 200);
    assert.equal((await app.call('GET', `/v3/jobs/${id}/results/`, undefined, narrow)).status, 403);
  });

  it('GET › pages, newest first, by type, status and time', async () => {
    const id = await stage.submit('numbers.create', { count: 1, item: { country_code: 'GB' } });
    const list = async (query: string) => (await app.call('GET', `/v3/jobs/?${query}`)).body;
    const page = await list('page_size=1');
    assert.equal(page.results[0].id, id);
    assert.equal(page.results[0].errors, undefined);
    assert.ok((await app.call('GET', page.next)).body.results[0].id < id);
    assert.deepEqual(
      (await list('type=numbers.create')).results.map((job: { id: string }) => job.id),
      [id],
    );
    assert.equal((await list('status=SUCCEEDED')).count, 0);
    assert.equal((await list('created_after=2100-01-01T00:00:00Z')).count, 0);
    assert.equal((await app.call('GET', '/v3/jobs/?status=DONE')).status, 400);
  });

  it("404 for another tenant's job, on every route, and it is not in their list", async () => {
    const id = await stage.submit('sms.send', sms);
    const token = app.otherToken;
    for (const [method, path] of [
      ['GET', ''],
      ['POST', 'cancel/'],
      ['GET', 'results/'],
      ['GET', 'file/'],
    ] as const) {
      const answer = await app.call(method, `/v3/jobs/${id}/${path}`, undefined, { token });
      assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'], path);
    }
    assert.equal((await app.call('GET', '/v3/jobs/', undefined, { token })).body.count, 0);
    assert.equal((await stage.job(id)).status, 'QUEUED');
  });

  it('cancel › a job nobody began ends; twice is the same answer; one that ended otherwise is 409', async () => {
    const id = await stage.submit('sms.send', sms);
    const first = await app.call('POST', `/v3/jobs/${id}/cancel/`);
    assert.deepEqual([first.status, first.body.status, first.body.progress.done], [200, 'CANCELLED', 0]);
    const again = await app.call('POST', `/v3/jobs/${id}/cancel/`);
    assert.deepEqual([again.status, again.body], [200, first.body]);
    const kinds = (await eventsOf(app.deps.db, app.accountId, id).execute()).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['job.queued', 'job.cancelled']);
    for (const status of ['SUCCEEDED', 'FAILED']) {
      await app.deps.db.updateTable('jobs').set({ status }).where('uuid', '=', id).execute();
      const late = await app.call('POST', `/v3/jobs/${id}/cancel/`);
      assert.deepEqual([late.status, late.body], [409, { detail: 'The job has already ended.', code: 'job_finished' }]);
    }
  });

  it('file › 404 while there is none', async () => {
    const id = await stage.submit('sms.send', sms);
    assert.equal((await app.call('GET', `/v3/jobs/${id}/file/`)).status, 404);
  });
});
