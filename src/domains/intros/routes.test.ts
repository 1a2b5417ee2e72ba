import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { eventsOf } from '../timeline/index.ts';
import { textHash } from './match/keys.ts';

const url = '/v2/chatapp/chat-intros/';
const chatapp_number = '+44 20 7946 0011';
const full = {
  chatapp_number,
  reference_id: 'REF-1',
  expected_message_template: 'About {{reference_id}}',
  notify_type: 'CHATAPP',
  notify_to_phone_number: '+44 7700 900123',
  notify_chatapp_template_name: 'new_lead',
  notify_chatapp_template_params: ['a'],
  notify_delay: 30,
  intro_bparty_number: '+44 7700 900123',
  bparty_expiry_link: true,
  extra_variable_data: { Town: 'Bath' },
};
const notify_data = {
  to_phone_number: '+44 7700 900123',
  chatapp_template_name: 'new_lead',
  chatapp_template_params: ['a'],
  chatapp_template_components: [],
};

/** What the created intro does not show. */
const later = {
  notify_sms_from: '',
  notify_sms_template: '',
  notify_agents: null,
  notify_timeout: 0,
  notify_reminder: 0,
  link_code: 'auto',
  button_actions: {},
};

describe('/v2/chatapp/chat-intros/', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  const create = async (request: object = full) => (await app.call('POST', url, request)).body;
  const rowOf = (uuid: string) =>
    app.deps.db.selectFrom('chat_intros').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow();
  const keysOf = (uuid: string) =>
    app.deps.db.selectFrom('intro_keys').selectAll().where('chat_intro', '=', uuid).executeTakeFirstOrThrow();
  const kindsOf = async (uuid: string) =>
    (await eventsOf(app.deps.db, app.accountId, uuid).orderBy('uuid').execute()).map((event) => event.kind);

  it('GET returns what was created', async () => {
    const intro = await create();
    const { status, body } = await app.call('GET', `${url}${intro.uuid}/`);
    assert.equal(status, 200);
    assert.deepEqual(body, { ...intro, ...later, notify_delay: 30 });
    assert.deepEqual(body.notify_data, notify_data);
  });

  it('PUT of what GET answered changes nothing, and a field counts for more than its group', async () => {
    const reply_alt = {
      type: 'INTERACTIVE',
      filter: { Price: { gte: '100000', lte: '500000' } },
      chatapp_components: { body: { text: 'Buying?' }, action: { buttons: [{ title: 'Yes', type: 'reply' }] } },
    };
    const { uuid } = await create({
      ...full,
      reply_alt,
      aparty_notify_chatapp_template_name: 'thanks',
      intro_message_aparty: 'Hello',
    });
    const before = (await app.call('GET', `${url}${uuid}/`)).body;
    assert.notDeepEqual([before.reply_alt_data, before.aparty_notify_data, before.aparty_intro_data], [{}, {}, {}]);
    const { status, body } = await app.call('PUT', `${url}${uuid}/`, before);
    assert.equal(status, 200);
    assert.deepEqual(body, { ...before, modified: body.modified });
    const both = { ...before, notify_to_phone_number: '+44 7700 900124' };
    const changed = (await app.call('PUT', `${url}${uuid}/`, both)).body;
    assert.deepEqual(changed.notify_data, { ...before.notify_data, to_phone_number: '+44 7700 900124' });
    const patched = await app.call('PATCH', `${url}${uuid}/`, { aparty_intro_data: {}, notify_delay: 45 });
    assert.deepEqual([patched.body.aparty_intro_data, patched.body.notify_delay], [{}, 45]);
  });

  it('400 for an operator of a filter that is not known', async () => {
    const buttons = [{ title: 'Yes', type: 'reply' }];
    const alternative = (filter: object) => ({
      chatapp_number,
      reply_alt: {
        type: 'INTERACTIVE',
        filter,
        chatapp_components: { body: { text: 'Buying?' }, action: { buttons } },
      },
    });
    assert.equal((await app.call('POST', url, alternative({ Price: { gte: '1', lte: '2' } }))).status, 201);
    const refused = await app.call('POST', url, alternative({ Price: { gt: '1', lte: '2' } }));
    assert.deepEqual(
      [refused.status, refused.body],
      [400, { reply_alt: { filter: { Price: { gt: ['Not a valid operator. Use gte and lte.'] } } } }],
    );
  });

  it('400 for how to notify without notify_type; null says that nobody is notified', async () => {
    const { notify_type, ...untyped } = full;
    const required = { notify_type: ['This field is required.'] };
    const refused = await app.call('POST', url, untyped);
    assert.deepEqual([refused.status, refused.body], [400, required]);
    const { uuid } = await create({ ...untyped, notify_type: null });
    const patch = (body: object) => app.call('PATCH', `${url}${uuid}/`, body);
    assert.deepEqual((await patch({ notify_to_phone_number: '+44 7700 900125' })).body, required);
    const put = await app.call('PUT', `${url}${uuid}/`, untyped);
    assert.deepEqual([put.status, put.body], [400, required]);
    assert.equal((await patch({ notify_type: 'CHATAPP' })).body.notify_data.to_phone_number, '+44 7700 900123');
    assert.equal((await patch({ notify_to_phone_number: '+44 7700 900125' })).status, 200);
    assert.deepEqual((await patch({ notify_type: null })).body.notify_data, {});
  });

  it('chat_link works when it is resolved against the address that was called', async () => {
    const intro = await create();
    for (const called of [url, '/v2/chatapp/chat-intro/', `${url}${intro.uuid}/`]) {
      const { pathname } = new URL(intro.chat_link, `http://here.example${called}`);
      const answer = await app.call('GET', pathname, undefined, { token: null });
      assert.equal(answer.status, 302, pathname);
      const to = new URL(String(answer.headers['location']));
      assert.equal(`..${to.pathname}`, intro.chat_link);
      const opened = await app.call('GET', to.pathname, undefined, { token: null });
      assert.equal(opened.status, 302);
    }
  });

  it('PUT replaces everything but the link, and what is left out goes back to its default', async () => {
    const intro = await create();
    const { status, body } = await app.call('PUT', `${url}${intro.uuid}/`, { chatapp_number: '442079460022' });
    assert.equal(status, 200);
    const plain = await create({ chatapp_number: '442079460022' });
    const { uuid, chat_link, chat_url, created } = intro;
    assert.deepEqual(body, {
      ...plain,
      ...later,
      uuid,
      chat_link,
      chat_url,
      created,
      modified: body.modified,
      notify_delay: 0,
    });
    assert.ok(body.modified > intro.modified);
    const row = await rowOf(uuid);
    assert.equal(row.notify_delay, 0);
    assert.equal((await keysOf(uuid)).expected_hash, null);
    assert.equal(row.chatapp_digits, '442079460022');
    assert.deepEqual(await kindsOf(uuid), ['chat_intro.created', 'chat_intro.updated']);
  });

  it('PUT needs the number', async () => {
    const { uuid } = await create();
    const { status, body } = await app.call('PUT', `${url}${uuid}/`, { reference_id: 'x' });
    assert.equal(status, 400);
    assert.deepEqual(body, { chatapp_number: ['This field is required.'] });
  });

  it('PATCH changes what it names, and keeps what matching needs in step', async () => {
    const intro = await create();
    const { status, body } = await app.call('PATCH', `${url}${intro.uuid}/`, {
      reference_id: 'REF-2',
      notify_delay: 60,
    });
    assert.equal(status, 200);
    assert.deepEqual(body, { ...intro, ...later, reference_id: 'REF-2', modified: body.modified, notify_delay: 60 });
    const row = await rowOf(intro.uuid);
    assert.equal(row.reference_key, 'ref-2');
    const keys = await keysOf(intro.uuid);
    assert.deepEqual([keys.expected_hash, keys.reference_key], [textHash('about ref-2'), 'ref-2']);
    assert.equal(row.notify_delay, 60);
    const events = await eventsOf(app.deps.db, app.accountId, intro.uuid).orderBy('uuid').execute();
    assert.deepEqual(events.at(-1)?.data, { fields: ['reference_id', 'notify_delay'] });
  });

  it('PATCH can switch the notification off and on again without repeating it', async () => {
    const { uuid } = await create();
    const off = await app.call('PATCH', `${url}${uuid}/`, { notify_type: null });
    assert.deepEqual(off.body.notify_data, {});
    const on = await app.call('PATCH', `${url}${uuid}/`, { notify_type: 'CHATAPP' });
    assert.deepEqual(on.body.notify_data, notify_data);
  });

  it('PATCH is checked together with what it leaves as it is', async () => {
    const { uuid } = await create();
    const { status, body } = await app.call('PATCH', `${url}${uuid}/`, { notify_chatapp_template_name: '' });
    assert.equal(status, 400);
    assert.deepEqual(body, { notify_chatapp_template_name: ['This field is required.'] });
  });

  it('two PATCHes at once do not undo each other', async () => {
    const { uuid } = await create();
    const patches = [{ reply_message_template: 'one' }, { intro_message_template: 'two' }, { meta_data: { three: 3 } }];
    await Promise.all(patches.map((patch) => app.call('PATCH', `${url}${uuid}/`, patch)));
    const { body } = await app.call('GET', `${url}${uuid}/`);
    assert.partialDeepStrictEqual(body, Object.assign({}, ...patches));
  });

  it('DELETE takes it out of sight and keeps its row and its story', async () => {
    const { uuid } = await create({ ...full, reference_id: 'GONE-1' });
    assert.equal((await app.call('DELETE', `${url}${uuid}/`)).status, 204);
    assert.notEqual((await rowOf(uuid)).deleted_at, null);
    assert.deepEqual(await kindsOf(uuid), ['chat_intro.created', 'chat_intro.deleted']);
    assert.equal((await app.call('GET', `${url}?reference_id=GONE-1`)).body.count, 0);
    for (const method of ['GET', 'DELETE', 'PATCH'] as const) {
      assert.equal((await app.call(method, `${url}${uuid}/`, method === 'PATCH' ? {} : undefined)).status, 404);
    }
  });

  it('GET lists, filters by number and reference, and pages', async () => {
    const made = [];
    for (const name of ['List-10', 'list-11', 'LIST_2']) {
      made.push(await create({ chatapp_number: '+44 (0)20 7946 0099', reference_id: name }));
    }
    const references = async (query: string) => {
      const { status, body } = await app.call('GET', `${url}?chatapp_number=44020-7946-0099&${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.results.map((intro: { reference_id: string }) => intro.reference_id);
    };
    assert.deepEqual(await references(''), ['LIST_2', 'list-11', 'List-10']);
    assert.deepEqual(await references('ordering=created&q=LIST-1'), ['List-10', 'list-11']);
    assert.deepEqual(await references('q=list_'), ['LIST_2']);
    assert.deepEqual(await references('q=%25'), []);
    assert.deepEqual(await references('reference_id=list-11'), ['list-11']);
    assert.deepEqual(await references('reference_id=LIST-11'), []);
    const first = await app.call('GET', `${url}?chatapp_number=4402079460099&page_size=2`);
    assert.equal(first.body.count, 3);
    const { pathname, search } = new URL(first.body.next);
    assert.deepEqual((await app.call('GET', pathname + search)).body.results, [made[0]]);
  });

  it("404 for another tenant's intro, and it is not listed", async () => {
    const { uuid } = await create();
    const asOther = { token: app.otherToken };
    for (const [method, request] of [['GET'], ['PUT', full], ['PATCH', { notify_delay: 1 }], ['DELETE']] as const) {
      assert.equal((await app.call(method, `${url}${uuid}/`, request, asOther)).status, 404);
    }
    assert.equal((await app.call('GET', url, undefined, asOther)).body.count, 0);
    assert.equal((await app.call('GET', `${url}${uuid}/`)).status, 200);
  });

  it('401 without a token, 404 for an id that is none', async () => {
    assert.equal((await app.call('GET', url, undefined, { token: null })).status, 401);
    assert.equal((await app.call('POST', url, full, { token: null })).status, 401);
    assert.equal((await app.call('GET', `${url}none/`)).status, 404);
  });
});
