import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { campaigner } from '../../../test/kit/campaigns/campaigner.ts';
import { newId } from '../../platform/ids.ts';

let app: TestApp;
let a: ReturnType<typeof campaigner>;
let list: string;
before(async () => {
  app = await startTestApp();
  a = campaigner(app);
  list = await a.list(['+447700900701']);
});
after(() => app.close());

const url = '/v2/campaigns/';
const create = (more: object) =>
  app.call('POST', url, { name: 'Offer', channel: 'CHATAPP', sender: '+447700900001', lists: [list], ...more });

describe('/v2/campaigns/', () => {
  test('a campaign is made, read, listed by channel, changed, replaced and deleted', async () => {
    const { status, body } = await create({ text: 'Hello', quiet_hours: false, send_at: '2030-01-01T10:00:00+01:00' });
    assert.equal(status, 201);
    assert.deepEqual(
      [body.quiet_hours, body.send_at, body.template, body.rate_per_second, body.campaign_log],
      [false, '2030-01-01T09:00:00.000000Z', null, null, null],
    );
    const one = `${url}${body.uuid}/`;
    assert.deepEqual((await app.call('GET', one)).body, body);
    const sms = await create({ channel: 'SMS', sender: 'Parley', text: 'Hello' });
    const listed = (await app.call('GET', `${url}?channel=SMS`)).body.results;
    assert.deepEqual(listed, [sms.body]);
    const patched = (await app.call('PATCH', one, { quiet_hours: { start: '21:00', end: '08:00' } })).body;
    assert.deepEqual(patched, { ...body, quiet_hours: { start: '21:00', end: '08:00' }, modified: patched.modified });
    const replaced = await app.call('PUT', one, {
      name: 'Other',
      channel: 'CHATAPP',
      sender: '+447700900001',
      lists: [list],
      template: { template_name: 'hello' },
    });
    assert.deepEqual([replaced.body.text, replaced.body.quiet_hours, replaced.body.send_at], ['', null, null]);
    assert.equal((await app.call('DELETE', one)).status, 204);
    assert.equal((await app.call('GET', one)).status, 404);
  });

  const wrong: [object, object][] = [
    [{}, { text: ['Give a template or a text.'] }],
    [{ channel: 'SMS', sender: 'Parley' }, { text: ['This field is required.'] }],
    [{ text: 'x', template: { template_name: 'y' } }, { text: ['Give a template or a text, not both.'] }],
    [
      { channel: 'SMS', sender: 'Parley', text: 'x', template: { template_name: 'y' } },
      { template: ['An SMS has a text, not a template.'] },
    ],
    [{ text: 'x', sender: 'Parley' }, { sender: ['Enter a valid phone number.'] }],
    [{ text: 'x', lists: [] }, { lists: ['This list may not be empty.'] }],
    [{ text: 'x', rate_per_second: 0 }, { rate_per_second: ['Ensure this value is greater than or equal to 1.'] }],
    [
      { text: 'x', quiet_hours: { start: '25:00', end: '08:00' } },
      { quiet_hours: { start: ['Enter a time as HH:MM.'] } },
    ],
    [{ text: 'x', channel: 'FAX' }, { channel: ['"FAX" is not a valid choice.'] }],
  ];
  for (const [more, errors] of wrong) {
    test(`400 for ${JSON.stringify(more)}`, async () => {
      const { status, body } = await create(more);
      assert.deepEqual([status, body], [400, errors]);
    });
  }

  test('400 at the field for a list that does not exist, or is another tenant’s', async () => {
    const { body: foreign } = await app.call('POST', '/v2/lists/', { name: 'Theirs' }, { token: app.otherToken });
    const unknown = newId();
    const { status, body } = await create({ text: 'x', lists: [list, unknown], excluded_lists: [foreign.uuid] });
    assert.equal(status, 400);
    assert.deepEqual(body, {
      lists: { 1: [`List "${unknown}" does not exist.`] },
      excluded_lists: { 0: [`List "${foreign.uuid}" does not exist.`] },
    });
  });

  test('404 for another tenant, whatever is asked', async () => {
    const campaign = await a.campaign([list]);
    const log = await a.launch(campaign, { send_at: '2080-01-01T00:00:00Z' });
    const as = { token: app.otherToken };
    for (const verb of ['launch', 'pause', 'resume', 'cancel', 'preview']) {
      assert.equal((await app.call('POST', `${url}${campaign}/${verb}/`, undefined, as)).status, 404, verb);
    }
    for (const path of ['', 'export/', 'opted-out-contacts/']) {
      assert.equal((await app.call('GET', `/v2/campaign-logs/${log}/${path}`, undefined, as)).status, 404, path);
    }
    assert.equal((await app.call('GET', '/v2/campaign-logs/', undefined, as)).body.count, 0);
    assert.equal((await a.log(log)).status, 'SCHEDULED');
    await a.steer(campaign, 'cancel');
  });

  test('the list is filtered by the status of the newest launch and by words of the name', async () => {
    const [draft, launched] = [
      await a.campaign([list], { name: 'Spring “Sale” 50%' }),
      await a.campaign([list], { name: 'Sale of the century' }),
    ];
    await a.launch(launched, { send_at: '2080-01-01T00:00:00Z' });
    const found = async (query: string, token = app.token) =>
      (await app.call('GET', `${url}?${query}`, undefined, { token })).body.results.map(
        (one: { uuid: string }) => one.uuid,
      );
    assert.deepEqual(await found('name=SAL&status=SCHEDULED'), [launched]);
    assert.deepEqual(await found('name=sale'), [launched], 'the other begins with a quotation mark');
    assert.deepEqual(await found('name=50%25 spr'), [draft]);
    assert.deepEqual(await found('name=ale'), []);
    assert.deepEqual(await found("name=' | '"), []);
    assert.deepEqual(await found('name=%20&status=SCHEDULED'), [launched]);
    assert.deepEqual(await found('name=century&status=DRAFT'), []);
    assert.ok((await found('status=DRAFT')).includes(draft));
    await a.steer(launched, 'cancel');
    assert.deepEqual(await found('name=century&status=CANCELLED'), [launched]);
    const again = await a.launch(launched, { send_at: '2080-01-01T00:00:00Z' });
    assert.deepEqual(await found('status=SCHEDULED'), [launched]);
    assert.equal((await app.call('GET', `${url}${launched}/`)).body.campaign_log, again);
    assert.deepEqual(await found('name=sale', app.otherToken), []);
    assert.deepEqual(await found('status=SCHEDULED', app.otherToken), []);
    const wrong = await app.call('GET', `${url}?status=LATER`);
    assert.deepEqual([wrong.status, Object.keys(wrong.body)], [400, ['status']]);
    await a.steer(launched, 'cancel');
  });

  test('409 with a code when there is nothing to pause, resume or cancel', async () => {
    const campaign = await a.campaign([list]);
    for (const verb of ['pause', 'resume', 'cancel']) {
      const { status, body } = await a.steer(campaign, verb);
      assert.deepEqual([status, body.code], [409, 'campaign_not_running']);
    }
  });

  test('an idempotent launch is one launch', async () => {
    const campaign = await a.campaign([list]);
    const headers = { 'idempotency-key': newId() };
    const [one, two] = [
      await app.call('POST', `${url}${campaign}/launch/`, {}, { headers }),
      await app.call('POST', `${url}${campaign}/launch/`, {}, { headers }),
    ];
    assert.deepEqual([one.status, two.status, two.body.uuid], [201, 201, one.body.uuid]);
    await a.until(one.body.uuid, a.ended('COMPLETED'));
    const logs = (await app.call('GET', `/v2/campaign-logs/?campaign=${campaign}&status=COMPLETED`)).body;
    assert.deepEqual([logs.count, logs.results[0].uuid], [1, one.body.uuid]);
  });
});

describe('POST /v2/campaigns/{uuid}/preview/', () => {
  const preview = (campaign: string, body: object) => app.call('POST', `${url}${campaign}/preview/`, body);

  test('shows what a contact would get, names what is missing, and counts segments', async () => {
    const contact = await a.make('/v2/contacts/', {
      phone_number: '+447700900711',
      name: 'Ana King',
      attributes: { 'Customer No': 17 },
    });
    const campaign = await a.campaign([list], {
      channel: 'SMS',
      sender: 'Parley',
      text: 'Hi {{first_name}}, {{ customer_no }}: {{ deal }} {{ colour }}!',
      fallbacks: { Colour: 'red' },
    });
    const { status, body } = await preview(campaign, { contact: contact.uuid });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      contact: contact.uuid,
      phone_number: '+447700900711',
      message: { from: 'Parley', to: '+447700900711', text: 'Hi Ana, 17:  red!', meta_data: {} },
      missing: ['deal'],
      segments: 1,
      encoding: 'GSM7',
      problem: null,
    });
    assert.deepEqual((await preview(campaign, { phone_number: '07700 900711' })).body, body);
    const stranger = (await preview(campaign, { phone_number: '+447700900799' })).body;
    assert.deepEqual([stranger.contact, stranger.missing], [null, ['first_name', 'customer_no', 'deal']]);
    assert.equal((await preview(campaign, {})).body.phone_number, '+447700900701');
  });

  test('says why somebody would get nothing', async () => {
    await a.make('/v2/opt-outs/', { phone_number: '+447700900712' });
    const campaign = await a.campaign([list], { text: '{{ nothing }}' });
    const blank = (await preview(campaign, { phone_number: '+447700900713' })).body;
    assert.equal(blank.problem, 'text.body: This field may not be blank.');
    const out = (await preview(campaign, { phone_number: '+447700900712' })).body;
    assert.match(out.problem, /opted out/);
    const unknown = await preview(campaign, { contact: newId() });
    assert.deepEqual([unknown.status, Object.keys(unknown.body)], [400, ['contact']]);
    const empty = await a.campaign([await a.list([])]);
    assert.equal((await preview(empty, {})).status, 400);
  });
});

describe('GET /v2/campaign-logs/{uuid}/export/', () => {
  test('is a file with what became of everybody', async () => {
    const people = await a.list([]);
    await a.make('/v2/contacts/', { phone_number: '+447700900721', name: '=Ana', lists: [people] });
    await a.make('/v2/contacts/', { phone_number: '+447700900722', lists: [people] });
    await a.make('/v2/contacts/', { phone_number: '+447700900723', name: 'Bo', lists: [people] });
    await a.make('/v2/opt-outs/', { phone_number: '+447700900722' });
    const uuid = await a.launch(await a.campaign([people], { text: '{{ name }}' }));
    await a.until(uuid, (log) => log.status === 'COMPLETED' && log.read === 2);
    const { status, headers, body } = await app.call('GET', `/v2/campaign-logs/${uuid}/export/`);
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/csv/);
    const lines = String(body).trimEnd().split('\r\n');
    assert.equal(lines[0], 'phone_number,name,state,reason,message,status,time');
    assert.match(lines[1]!, /^\+447700900721,'=Ana,QUEUED,,[0-9a-f-]{36},READ,2/);
    assert.match(lines[2]!, /^\+447700900722,,SKIPPED,opted_out,,,2/);
    assert.equal(lines.length, 4);
  });
});

describe('POST /v2/campaigns/{uuid}/test/', () => {
  const testOf = (uuid: string, body: object, options = {}) => app.call('POST', `${url}${uuid}/test/`, body, options);

  test('sends to a few people, filled for a contact or for each; no launch counts it; nobody gets it who opted out', async () => {
    const [known, stranger, unwilling] = ['+447700900741', '+447700900742', '+447700900743'];
    const contact = await app.call('POST', '/v2/contacts/', { phone_number: known, name: 'Ana' });
    await app.call('POST', '/v2/opt-outs/', { phone_number: unwilling });
    const campaign = await create({ channel: 'SMS', sender: 'Parley', text: 'Hello {{name}}' });
    const { status, body } = await testOf(campaign.body.uuid, { to: [known, stranger, unwilling] });
    assert.equal(status, 201, JSON.stringify(body));
    const [first, second, third] = body.results;
    assert.deepEqual([first.to, first.missing, first.problem], [known, [], null]);
    assert.deepEqual([second.to, second.missing, second.problem], [stranger, ['name'], null]);
    assert.deepEqual([third.message, typeof third.problem], [null, 'string']);
    const sms = (await app.call('GET', `/v2/send-sms/${first.message}/`)).body;
    assert.deepEqual([sms.text, sms.to, sms.meta_data], ['Hello Ana', known, { campaign_test: campaign.body.uuid }]);
    const asAna = await testOf(campaign.body.uuid, { to: [stranger], contact: contact.body.uuid });
    const again = (await app.call('GET', `/v2/send-sms/${asAna.body.results[0].message}/`)).body;
    assert.deepEqual([again.text, again.to], ['Hello Ana', stranger]);
    assert.equal((await app.call('GET', `/v2/campaign-logs/?campaign=${campaign.body.uuid}`)).body.count, 0);
  });

  test('in a chat too; 400 for nobody, too many and no contact; 404 for another tenant', async () => {
    const { uuid } = (await create({ text: 'Hello {{name|you}}' })).body;
    const sent = await testOf(uuid, { to: ['+447700900744'] });
    const message = (await app.call('GET', `/v2/chatapp/messages/${sent.body.results[0].message}/`)).body;
    assert.equal(message.to_chatapp_number, '+447700900744');
    for (const [body, field] of [
      [{ to: [] }, 'to'],
      [{ to: Array.from({ length: 11 }, (_, index) => `+4477009007${50 + index}`) }, 'to'],
      [{ to: ['+447700900744'], contact: newId() }, 'contact'],
    ] as const) {
      const answer = await testOf(uuid, body);
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, [field]]);
    }
    assert.equal((await testOf(uuid, { to: ['+447700900744'] }, { token: app.otherToken })).status, 404);
  });
});
