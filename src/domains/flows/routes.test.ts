import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestAnswer, type TestApp } from '../../../test/kit/app.ts';
import { until } from '../../../test/kit/until.ts';
import { eventsOf } from '../timeline/index.ts';

const url = '/v2/chatapp/flows/';
const flow = { chatapp_number: '+44 7700 900001', name: 'Survey', category: 'SURVEY' };
const definition = { version: '7.3', screens: [{ id: 'ONE' }] };

describe('/v2/chatapp/flows/', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
  });
  after(() => app.close());
  const create = (body: object) => app.call('POST', url, { ...flow, ...body });

  test('201 with a draft that the platform does not have yet', async () => {
    const { status, body } = await create({});
    assert.equal(status, 201);
    const { uuid, created, modified, ...rest } = body;
    assert.equal(created, modified);
    assert.deepEqual(rest, {
      ...flow,
      status: 'DRAFT',
      wanted_status: null,
      categories: ['SURVEY'],
      flow_id: null,
      validation_errors: [],
      status_description: '',
      definition: null,
    });
    assert.deepEqual((await app.call('GET', `${url}${uuid}/`)).body, body);
    const refused = await app.call('GET', `${url}${uuid}/preview/`);
    assert.deepEqual([refused.status, refused.body.code], [409, 'preview_unavailable']);
  });

  test('400 that names what is wrong; nothing is adopted or stored for it', async () => {
    const count = async () => (await app.call('GET', '/v2/chatapp/accounts/')).body.count;
    const before = await count();
    const wrong: [object, string[]][] = [
      [{ chatapp_number: 'x' }, ['chatapp_number']],
      [{ chatapp_number: '+447700900777', name: '' }, ['name']],
      [{ chatapp_number: '+447700900777', name: 'x'.repeat(201) }, ['name']],
      [{ chatapp_number: '+447700900777', category: 'SHOPPING' }, ['category']],
      [{ chatapp_number: '+447700900777', definition: [] }, ['definition']],
      [{ chatapp_number: '+447700900777', status: 'DEPRECATED' }, ['status']],
      [{ chatapp_number: '+447700900777', status: 'PUBLISHED' }, ['definition']],
    ];
    for (const [body, fields] of wrong) {
      const answer = await create({ name: 'Wrong', ...body });
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, fields], JSON.stringify(body));
    }
    assert.equal(await count(), before);
  });

  test('409 when the chat-app account is deleted between its look-up and the insert', async () => {
    const chatapp_number = '+447700900778';
    assert.equal((await create({ chatapp_number, name: 'Before' })).status, 201);
    // Its row alone: this process still has the account in its cache.
    await app.deps.db.deleteFrom('flows').where('digits', '=', '447700900778').execute();
    await app.deps.db.deleteFrom('chatapp_accounts').where('digits', '=', '447700900778').execute();
    const { status, body } = await create({ chatapp_number, name: 'After' });
    assert.deepEqual([status, body.code], [409, 'reference_gone']);
  });

  test('400 for a name that another flow of the number has, however many ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create({ name: 'Once' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400, 400, 400]);
    const refused = answers.find(({ status }) => status === 400)!;
    assert.deepEqual(refused.body, { name: ['Another flow of this chat-app account has this name.'] });
    assert.equal((await create({ name: 'Once', chatapp_number: '+447700900002' })).status, 201);
    const { uuid } = (await create({ name: 'Twice' })).body;
    const renamed = await app.call('PATCH', `${url}${uuid}/`, { name: 'Once' });
    assert.deepEqual([renamed.status, Object.keys(renamed.body)], [400, ['name']]);
    assert.equal((await app.call('PATCH', `${url}${uuid}/`, { name: 'Twice' })).status, 200);
  });

  test('PATCH › drafts are published and published ones deprecated, and there is no other way', async () => {
    const { uuid } = (await create({ name: 'Life', definition })).body;
    const patch = (body: object) => app.call('PATCH', `${url}${uuid}/`, body);
    const early = await patch({ status: 'DEPRECATED' });
    assert.deepEqual([early.status, early.body], [400, { status: ['A flow cannot go from DRAFT to DEPRECATED.'] }]);
    const { body } = await patch({ name: 'New life', category: 'OTHER', status: 'PUBLISHED' });
    assert.deepEqual(
      [body.name, body.category, body.categories, body.status, body.wanted_status],
      ['New life', 'OTHER', ['OTHER'], 'DRAFT', 'PUBLISHED'],
    );
    assert.deepEqual((await patch({ status: 'PUBLISHED' })).body, body, 'it is on its way already');
    assert.deepEqual(Object.keys((await patch({ status: 'DRAFT' })).body), ['status']);
    assert.equal((await patch({ status: 'DEPRECATED' })).body.wanted_status, 'DEPRECATED');
    for (const change of [{ name: 'Afterlife' }, { status: 'PUBLISHED' }, { status: 'THROTTLED' }]) {
      assert.deepEqual(Object.keys((await patch(change)).body), Object.keys(change));
    }
    const story = await eventsOf(app.deps.db, app.accountId, uuid).orderBy('uuid').execute();
    assert.deepEqual(
      story.map(({ kind }) => kind),
      ['flow.created', 'flow.updated', 'flow.updated'],
    );
  });

  test('what has no screen cannot be published', async () => {
    const sentence = { definition: ['A flow needs at least one screen before it can be published.'] };
    for (const empty of [{}, { version: '7.3', screens: [] }, { version: '7.3', screens: 'none' }]) {
      const made = await create({ name: 'Empty', definition: empty, status: 'PUBLISHED' });
      assert.deepEqual([made.status, made.body], [400, sentence]);
    }
    const { uuid } = (await create({ name: 'Empty' })).body;
    const patch = (body: object) => app.call('PATCH', `${url}${uuid}/`, body);
    for (const body of [{ status: 'PUBLISHED' }, { status: 'PUBLISHED', definition: { screens: [] } }]) {
      const refused = await patch(body);
      assert.deepEqual([refused.status, refused.body], [400, sentence]);
    }
    assert.equal((await patch({ status: 'PUBLISHED', definition })).status, 200);
  });

  test('the definition is returned, and that of a draft alone can be changed', async () => {
    const { uuid, definition: made } = (await create({ name: 'Drawn', definition })).body;
    assert.deepEqual(made, definition);
    const patch = (body: object) => app.call('PATCH', `${url}${uuid}/`, body);
    const other = { version: '7.3', screens: [{ id: 'TWO' }] };
    const { status, body } = await patch({ definition: other });
    assert.deepEqual([status, body.definition], [200, other]);
    assert.deepEqual((await app.call('GET', `${url}${uuid}/`)).body, body);
    assert.deepEqual((await patch({ definition: other })).body, body, 'nothing changes');
    assert.deepEqual((await patch({ definition: [] })).status, 400);
    assert.equal((await patch({ definition, status: 'PUBLISHED' })).status, 200);
    const late = await patch({ definition: other });
    assert.deepEqual(
      [late.status, late.body],
      [400, { definition: ['Only the definition of a draft can be changed.'] }],
    );
    const [row] = (await app.call('GET', `${url}?name=Drawn`)).body.results;
    assert.equal('definition' in row, false, 'lists leave it out');
  });

  test('DELETE › 204 for a draft, whose name is free then', async () => {
    const { uuid } = (await create({ name: 'Gone' })).body;
    assert.equal((await app.call('DELETE', `${url}${uuid}/`, undefined, { token: app.otherToken })).status, 404);
    assert.equal((await app.call('DELETE', `${url}${uuid}/`)).status, 204);
    assert.equal((await app.call('GET', `${url}${uuid}/`)).status, 404);
    assert.equal((await app.call('DELETE', `${url}${uuid}/`)).status, 404);
    assert.equal((await create({ name: 'Gone' })).status, 201);
  });

  test('found by number, state, category, name and its beginning, and by nobody else', async () => {
    const chatapp_number = '+44 7700 900003';
    const made: string[] = [];
    for (const [name, category] of [
      ['50% off', 'OTHER'],
      ['50 shades', 'SURVEY'],
      ['Über_uns', 'CONTACT_US'],
    ]) {
      made.push((await create({ chatapp_number, name, category })).body.uuid);
    }
    const found = async (query: string, token = app.token) =>
      (await app.call('GET', `${url}?ordering=created&${query}`, undefined, { token })).body.results.map(
        (one: { uuid: string }) => made.indexOf(one.uuid),
      );
    const number = `chatapp_number=${encodeURIComponent('+44(7700)900003')}`;
    assert.deepEqual(await found(number), [0, 1, 2]);
    assert.deepEqual(await found(number, app.otherToken), []);
    assert.deepEqual(await found(`${number}&category=SURVEY`), [1]);
    assert.deepEqual(await found(`${number}&status=PUBLISHED`), []);
    assert.deepEqual(await found(`${number}&status=DRAFT&q=50`), [0, 1]);
    assert.deepEqual(await found('q=50%25'), [0]);
    assert.deepEqual(await found(`q=${encodeURIComponent('Über_')}`), [2]);
    assert.deepEqual(await found('name=50%20shades'), [1]);
    assert.deepEqual(await found('name=50'), []);
  });

  test('another tenant finds nothing', async () => {
    const { uuid } = (await create({ name: 'Ours' })).body;
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'Theirs' }],
      ['GET', 'preview/'],
    ] as const) {
      const answer = await app.call(method, `${url}${uuid}/${path}`, body, { token: app.otherToken });
      assert.equal(answer.status, 404, `${method} ${path}`);
    }
  });

  test('POST sync/ › 202, and the sandbox has nothing to compare with', async () => {
    for (const body of [{}, { chatapp_number: '+44 7700 900001' }]) {
      const answer = await app.call('POST', `${url}sync/`, body);
      assert.deepEqual([answer.status, answer.body], [202, { chatapp_accounts: 0 }]);
    }
  });

  test('an idempotent request stores flow and job once', async () => {
    const headers = { 'idempotency-key': 'a flow' };
    const twice = [1, 2].map(() => () => app.call('POST', url, { ...flow, name: 'Keyed' }, { headers }));
    const [first, second] = [await twice[0]!(), await twice[1]!()];
    assert.deepEqual([first.status, second.status, second.body], [201, 201, first.body]);
  });
});

describe('flows on the sandbox', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  const reaches = (uuid: string, holds: (flow: TestAnswer['body']) => boolean) =>
    until(async () => (await app.call('GET', `${url}${uuid}/`)).body, holds);

  test('a draft is drawn anew where phones see it, and deleted there too', async () => {
    const { uuid } = (await app.call('POST', url, { ...flow, name: 'Sketch', definition })).body;
    const { flow_id } = await reaches(uuid, (one) => one.flow_id !== null);
    const other = { version: '7.3', screens: [{ id: 'TWO' }] };
    await app.call('PATCH', `${url}${uuid}/`, { definition: other });
    const shown = () => app.call('GET', `/v2/sandbox/flows/${flow_id}/`);
    await until(
      async () => (await shown()).body.definition,
      (drawn) => drawn.screens[0].id === 'TWO',
    );
    await until(
      async () => (await app.call('DELETE', `${url}${uuid}/`)).status,
      (status) => status === 204,
    );
    assert.equal((await shown()).status, 404);
  });

  test('a flow is created, published, shown and deprecated', async () => {
    const { uuid } = (await app.call('POST', url, { ...flow, definition, status: 'PUBLISHED' })).body;
    const published = await reaches(uuid, ({ status }) => status === 'PUBLISHED');
    assert.match(published.flow_id, /^\S+$/);
    await reaches(uuid, ({ wanted_status }) => wanted_status === null);
    const kept = await app.call('DELETE', `${url}${uuid}/`);
    assert.deepEqual([kept.status, kept.body.code], [409, 'flow_not_draft']);
    const preview = await app.call('GET', `${url}${uuid}/preview/`);
    assert.equal(preview.status, 200);
    assert.match(preview.body.preview_url, /^http:\/\/[^/]+\/console\/phone\/flow\/\S+$/);
    assert.ok(Date.parse(preview.body.expires_at) > Date.now());
    await app.call('PATCH', `${url}${uuid}/`, { name: 'Renamed', status: 'DEPRECATED' });
    const last = await reaches(uuid, ({ status, wanted_status }) => status === 'DEPRECATED' && wanted_status === null);
    assert.deepEqual([last.name, last.status_description, last.flow_id], ['Renamed', '', published.flow_id]);
    const again = await app.call('POST', url, { ...flow, name: 'Renamed' });
    assert.equal(again.status, 201, 'a deprecated flow has given up its name');
  });
});
