import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { until } from '../../../test/kit/until.ts';
import { eventsOf } from '../timeline/index.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.close());

const url = '/v2/chatapp/message-templates/';
const number = '+447700900001';
const body = { type: 'BODY', text: 'Hello {{1}}, your order came.', example: { body_text: [['Ana']] } };
const draft = { chatapp_number: number, language_code: 'en_GB', category: 'UTILITY', components: [body] };
const create = (more: object, token = app.token) => app.call('POST', url, { ...draft, ...more }, { token });
const get = async (uuid: string) => (await app.call('GET', `${url}${uuid}/`)).body;
const reaches = (uuid: string, status: string) =>
  until(async () => {
    const shown = await get(uuid);
    return shown.status === status ? shown : undefined;
  });
const send = (template_name: string, more: object = {}) =>
  app.call('POST', '/v2/chatapp/messages/', {
    chatapp_number: number,
    to_chatapp_number: '+447700900123',
    type: 'TEMPLATE',
    template: { template_name, ...more },
  });
const kindsOf = async (uuid: string) =>
  (await eventsOf(app.deps.db, app.accountId, uuid).orderBy('uuid').execute()).map(({ kind }) => kind);

describe('/v2/chatapp/message-templates/ on the sandbox', () => {
  test('a template is PENDING, then APPROVED; an edit goes the same way; a deleted one is gone at once', async () => {
    const { status, body: made } = await create({ name: 'order_came' });
    assert.equal(status, 201);
    const { uuid, created, modified, ...rest } = made;
    assert.deepEqual(rest, {
      ...draft,
      name: 'order_came',
      parameter_format: 'POSITIONAL',
      status: 'PENDING',
      quality: 'UNKNOWN',
      rejected_reason: '',
    });
    const approved = await reaches(uuid, 'APPROVED');
    assert.deepEqual({ ...approved, modified }, { ...made, status: 'APPROVED' });

    const components = [body, { type: 'FOOTER', text: 'Bye' }];
    const patched = await app.call('PATCH', `${url}${uuid}/`, { components });
    assert.deepEqual([patched.status, patched.body.status, patched.body.components], [200, 'PENDING', components]);
    assert.deepEqual((await reaches(uuid, 'APPROVED')).components, components);
    assert.deepEqual(await kindsOf(uuid), [
      'template.created',
      'template.submitted',
      'template.edited',
      'template.submitted',
    ]);

    assert.equal((await app.call('DELETE', `${url}${uuid}/`)).status, 204);
    assert.equal((await app.call('GET', `${url}${uuid}/`)).status, 404);
    assert.equal((await app.call('PATCH', `${url}${uuid}/`, { components })).status, 404);
    assert.equal((await app.call('DELETE', `${url}${uuid}/`)).status, 404);
    assert.equal((await create({ name: 'order_came' })).status, 201, 'the name is free again');
    const rows = () => app.deps.db.selectFrom('message_templates').select('uuid').where('uuid', '=', uuid).execute();
    await until(async () => (await rows()).length === 0);
  });

  test('400 for a name and language that the number has; another language or number will do', async () => {
    assert.equal((await create({ name: 'twice' })).status, 201);
    const { status, body } = await create({ name: 'twice', chatapp_number: '+44 (7700) 900001' });
    assert.deepEqual(
      [status, body],
      [400, { name: ['This number already has a template with this name and language.'] }],
    );
    assert.equal((await create({ name: 'twice', language_code: 'fr' })).status, 201);
    assert.equal((await create({ name: 'twice', chatapp_number: '+447700900002' })).status, 201);
    assert.equal((await create({ name: 'twice' }, app.otherToken)).status, 201);
  });

  test('400 with the field named for names, categories and components that are none', async () => {
    const { status, body: errors } = await create({
      name: 'Capitals',
      category: 'OTHER',
      components: [
        { type: 'HEADER', format: 'GIF' },
        { type: 'BODY', text: 'x'.repeat(1025) },
      ],
    });
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(errors).sort(), ['category', 'components', 'name']);
    assert.deepEqual(errors.components, [
      { format: ['"GIF" is not a valid choice.'] },
      { text: ['Ensure this field has no more than 1024 characters.'] },
    ]);
    const media_uuid = '01890000-0000-7000-8000-000000000000';
    const lost = await create({ name: 'lost', components: [{ type: 'HEADER', format: 'IMAGE', media_uuid }, body] });
    assert.deepEqual(lost.body, { components: [{ media_uuid: ['No template media has this uuid.'] }, {}] });
  });

  test('the category of an approved template is fixed, and what is left out of an edit stays', async () => {
    const { uuid } = (await create({ name: 'fixed' })).body;
    await reaches(uuid, 'APPROVED');
    const refused = await app.call('PATCH', `${url}${uuid}/`, { category: 'MARKETING' });
    assert.deepEqual(refused.body, { category: ['The category of an approved template cannot be changed.'] });
    const same = await app.call('PATCH', `${url}${uuid}/`, {});
    assert.deepEqual([same.status, same.body.status], [200, 'APPROVED']);
    const broken = await app.call('PATCH', `${url}${uuid}/`, { components: [{ type: 'FOOTER', text: 'Bye' }] });
    assert.deepEqual(broken.body, { components: ['A BODY is required.'] });
    assert.equal((await get(uuid)).status, 'APPROVED');
  });

  test('another tenant sees and changes nothing', async () => {
    const { uuid } = (await create({ name: 'mine' })).body;
    const as = { token: app.otherToken };
    assert.equal((await app.call('GET', `${url}${uuid}/`, undefined, as)).status, 404);
    assert.equal((await app.call('PATCH', `${url}${uuid}/`, { components: [body] }, as)).status, 404);
    assert.equal((await app.call('DELETE', `${url}${uuid}/`, undefined, as)).status, 404);
    assert.equal((await app.call('GET', `${url}?name=mine`, undefined, as)).body.count, 0);
  });

  test('the list is filtered by each of its fields, and by the beginning of the name', async () => {
    const one = (await create({ name: 'f_one', chatapp_number: '+447700900003', language_code: 'de' })).body;
    const two = (await create({ name: 'f_two', chatapp_number: '+447700900004', category: 'MARKETING' })).body;
    await reaches(one.uuid, 'APPROVED');
    await reaches(two.uuid, 'APPROVED');
    const names = async (query: string) =>
      (await app.call('GET', `${url}?ordering=created&${query}`)).body.results.map(
        ({ name }: { name: string }) => name,
      );
    assert.deepEqual(await names('q=f_'), ['f_one', 'f_two']);
    assert.deepEqual(await names('q=%25'), []);
    assert.deepEqual(await names('q=f_&chatapp_number=447700900003'), ['f_one']);
    assert.deepEqual(await names('name=f_two'), ['f_two']);
    assert.deepEqual(await names('q=f_&category=MARKETING'), ['f_two']);
    assert.deepEqual(await names('q=f_&language_code=de'), ['f_one']);
    assert.deepEqual(await names('q=f_&status=APPROVED'), ['f_one', 'f_two']);
    assert.deepEqual(await names('q=f_&status=REJECTED'), []);
  });

  test('one known by its name from a message has no category, and gets one by an edit', async () => {
    assert.equal((await send('by_name')).status, 201);
    const { results } = (await app.call('GET', `${url}?name=by_name`)).body;
    const { uuid, category, status, components } = results[0];
    assert.deepEqual([category, status, components], [null, 'APPROVED', []]);
    const patch = (change: object) => app.call('PATCH', `${url}${uuid}/`, change);
    assert.deepEqual((await patch({ components: [body] })).body, { category: ['This field is required.'] });
    assert.deepEqual((await patch({ category: 'UTILITY' })).body, { components: ['This field is required.'] });
    assert.equal((await patch({ category: 'UTILITY', components: [body] })).status, 200);
    assert.equal((await reaches(uuid, 'APPROVED')).category, 'UTILITY');
  });

  test('a message takes the only language in which it is approved, from the moment it is', async () => {
    const { uuid } = (await create({ name: 'only_one', language_code: 'es_ES' })).body;
    await reaches(uuid, 'APPROVED');
    const components = [{ type: 'body', parameters: [{ type: 'text', text: 'Ana' }] }];
    assert.equal((await send('only_one', { components })).body.message_data.language_code, 'es_ES');
    await app.call('DELETE', `${url}${uuid}/`);
    assert.equal((await send('only_one')).body.message_data.language_code, 'en_GB');
  });

  test('a message with too few or too many parameters is refused at its place', async () => {
    const { uuid } = (await create({ name: 'one_slot' })).body;
    await reaches(uuid, 'APPROVED');
    const text = { type: 'text', text: 'Ana' };
    const few = await send('one_slot');
    const sentence = (count: number) => [`The body of this template takes 1 parameter, not ${count}.`];
    assert.deepEqual([few.status, few.body], [400, { template: { components: sentence(0) } }]);
    const many = await send('one_slot', { components: [{ type: 'body', parameters: [text, text] }] });
    const errors = { template: { components: [{ parameters: sentence(2) }] } };
    assert.deepEqual([many.status, many.body], [400, errors]);
    assert.equal((await send('one_slot', { components: [{ type: 'body', parameters: [text] }] })).status, 201);
  });

  test('a sync has nothing to fetch there; 400 for a number that nobody registered', async () => {
    const ask = (request: object) => app.call('POST', `${url}sync/`, request);
    assert.deepEqual([(await ask({})).status, (await ask({})).body], [202, { chatapp_accounts: 0 }]);
    assert.deepEqual((await ask({ chatapp_number: number })).body, { chatapp_accounts: 0 });
    const unknown = await ask({ chatapp_number: '+447700900999' });
    assert.deepEqual([unknown.status, Object.keys(unknown.body)], [400, ['chatapp_number']]);
  });
});
