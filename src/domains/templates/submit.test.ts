import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { addPeer, type Peer, refusing } from '../../../test/kit/templates/template-peer.ts';
import { CarrierRefusal } from '../../carriers/ports/carriers.ts';
import { newId } from '../../platform/ids.ts';
import { removeTemplate, submitTemplate } from './submit.ts';
import { applyTemplateEvents, type TemplateEvent } from './sync/events.ts';

const number = '+34900111222';
let app: TestApp;
let peer: Peer;
let chatappAccount: string;
let hook: string;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
  chatappAccount = (await app.call('POST', '/v2/chatapp/accounts/', { chatapp_number: number })).body.uuid;
  peer = await addPeer(app.deps, chatappAccount);
  const wanted = { url: 'https://example.com/', events: ['chatapp.template.status'] };
  hook = (await app.call('POST', '/v2/chatapp/webhooks/', wanted)).body.uuid;
});
after(() => app.close());
afterEach(() => peer.reset());

const url = '/v2/chatapp/message-templates/';
const body = { type: 'BODY', text: 'Hello {{1}}, your order came.', example: { body_text: [['Ana']] } };
const another = [{ type: 'BODY', text: 'Something else.' }];
const draftOf = (name: string) => ({
  chatapp_number: number,
  name,
  language_code: 'es',
  category: 'UTILITY',
  components: [body],
});
let count = 0;
const create = async (more: object = {}) => {
  const answer = await app.call('POST', url, { ...draftOf(`template_${++count}`), ...more });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
};
const get = async (uuid: string) => (await app.call('GET', `${url}${uuid}/`)).body;
const edit = (uuid: string, change: object) => app.call('PATCH', `${url}${uuid}/`, change);
const remove = (uuid: string) => app.call('DELETE', `${url}${uuid}/`);
const submit = (uuid: string) => submitTemplate(app.deps, { accountId: app.accountId, uuid });
const drop = (uuid: string) => removeTemplate(app.deps, { accountId: app.accountId, uuid });
const tell = (name: string, event: Partial<TemplateEvent>) =>
  applyTemplateEvents(app.deps, app.accountId, [
    { chatappAccounts: [chatappAccount], id: peer.idOf(name), name, languageCode: 'es', ...event },
  ]);
const approved = async () => {
  const made = await create();
  await submit(made.uuid);
  await tell(made.name, { status: 'APPROVED' });
  const id = peer.idOf(made.name);
  peer.standing.set(id, { ...peer.standing.get(id)!, status: 'APPROVED' });
  peer.calls.length = 0;
  return made;
};
const heard = async (uuid: string): Promise<string[]> => {
  const rows = await app.deps.db
    .selectFrom('webhook_deliveries')
    .select('payload')
    .where('endpoint', '=', hook)
    .orderBy('uuid')
    .execute();
  const told = rows.map(({ payload }) => JSON.parse(payload).data).filter((data) => data.uuid === uuid);
  return told.map(({ status, quality }) => `${status} ${quality}`);
};
describe('a submission', () => {
  test('ends with the answer of the carrier, which may put it in another category; twice is once', async () => {
    const { uuid, name } = await create();
    await submit(uuid);
    await submit(uuid);
    assert.deepEqual(peer.calls, ['create']);
    assert.equal((await get(uuid)).status, 'PENDING');
    await tell(name, { status: 'APPROVED', category: 'MARKETING' });
    const { status, category } = await get(uuid);
    assert.deepEqual([status, category], ['APPROVED', 'MARKETING']);
    assert.deepEqual(await heard(uuid), ['APPROVED UNKNOWN']);
  });

  test('that was taken just before a crash is found again by the next try', async () => {
    const { uuid, name } = await create();
    peer.meanwhile = async () => assert.fail('the power went off');
    await assert.rejects(submit(uuid), /power/);
    peer.meanwhile = async () => {};
    await submit(uuid);
    assert.equal(peer.standing.size, 1);
    await tell(name, { quality: 'GREEN' });
    assert.deepEqual(await heard(uuid), ['PENDING GREEN']);
  });

  test('that is refused for now is tried again; refused for good it is REJECTED in the words of the carrier', async () => {
    const { uuid } = await create();
    peer.meanwhile = refusing({ temporary: true });
    await assert.rejects(submit(uuid), CarrierRefusal);
    assert.equal((await get(uuid)).status, 'PENDING');
    peer.meanwhile = refusing({ temporary: false });
    await submit(uuid);
    const { status, rejected_reason } = await get(uuid);
    assert.deepEqual([status, rejected_reason], ['REJECTED', 'Not like this.']);
    assert.deepEqual(await heard(uuid), ['REJECTED UNKNOWN']);
    peer.meanwhile = async () => {};
    assert.equal((await edit(uuid, { category: 'MARKETING', components: another })).body.status, 'PENDING');
    await submit(uuid);
    assert.deepEqual(peer.calls, ['create', 'create', 'create']);
  });

  test('whose approval comes before its answer is APPROVED', async () => {
    const { uuid, name } = await create();
    peer.meanwhile = () => tell(name, { status: 'APPROVED' });
    await submit(uuid);
    await submit(uuid);
    assert.equal((await get(uuid)).status, 'APPROVED');
    assert.deepEqual(peer.calls, ['create']);
  });

  test('whose approval comes and whose answer does not is not made again', async () => {
    const { uuid, name } = await create();
    peer.meanwhile = async () => {
      await tell(name, { status: 'APPROVED' });
      throw new Error('The line broke.');
    };
    await assert.rejects(submit(uuid), /line broke/);
    await submit(uuid);
    assert.deepEqual(peer.calls, ['create']);
    assert.equal((await get(uuid)).status, 'APPROVED');
  });

  test('that is overtaken by an edit is followed by the edit', async () => {
    const { uuid, name } = await create();
    peer.meanwhile = async () => {
      await edit(uuid, { components: another });
      await tell(name, { quality: 'GREEN' });
    };
    await submit(uuid);
    peer.meanwhile = async () => {};
    await submit(uuid);
    assert.deepEqual(peer.calls, ['create', 'update components']);
    const { status, components } = await get(uuid);
    assert.deepEqual([status, components], ['PENDING', another]);
  });

  test('that is overtaken by a deletion leaves nothing with the carrier', async () => {
    const gone = await create();
    peer.meanwhile = async (call) => {
      if (call !== 'create') return;
      await remove(gone.uuid);
      await drop(gone.uuid);
    };
    await submit(gone.uuid);
    assert.equal(peer.standing.size, 0);
    const going = await create();
    peer.meanwhile = async (call) => void (call === 'create' && (await remove(going.uuid)));
    await submit(going.uuid);
    await drop(going.uuid);
    assert.equal(peer.standing.size, 0);
    assert.equal((await app.call('GET', `${url}${going.uuid}/`)).status, 404);
  });
});

describe('the sample of a header', () => {
  test('is a file of the account, given to the carrier as its handle', async () => {
    const uuid = await addFile('image/png');
    const header = { type: 'HEADER', format: 'IMAGE', media_uuid: uuid.toUpperCase() };
    const made = await create({ components: [header, body] });
    assert.deepEqual(made.components, [header, body]);
    await submit(made.uuid);
    const { size, mimeType, name, path } = peer.samples.at(-1)!;
    assert.deepEqual([size, mimeType, name, path.endsWith(`/${app.accountId}/${uuid}`)], [3, 'image/png', 'a', true]);
    const handle = { header_handle: [`handle ${peer.samples.length}`] };
    const taken = peer.standing.get(peer.idOf(made.name))!.components;
    assert.deepEqual(taken, [{ type: 'HEADER', format: 'IMAGE', example: handle }, body]);
  });

  test('must be there, of the right type, and the account’s own; one that vanishes has the template REJECTED', async () => {
    const ask = async (format: string, media_uuid: string, token = app.token) => {
      const components = [{ type: 'HEADER', format, media_uuid }, body];
      return (await app.call('POST', url, { ...draftOf('sample'), components }, { token })).body.components?.[0];
    };
    const uuid = await addFile('video/mp4');
    assert.deepEqual(await ask('IMAGE', uuid), { media_uuid: ['Give a file of type image/jpeg or image/png.'] });
    assert.deepEqual(await ask('VIDEO', uuid, app.otherToken), { media_uuid: ['No template media has this uuid.'] });
    const made = await create({ components: [{ type: 'HEADER', format: 'VIDEO', media_uuid: uuid }, body] });
    await app.deps.db.deleteFrom('media').where('uuid', '=', uuid).execute();
    await submit(made.uuid);
    assert.equal((await get(made.uuid)).status, 'REJECTED');
  });
});

async function addFile(mime_type: string): Promise<string> {
  const uuid = newId();
  const path = `media/${app.accountId}/${uuid}`;
  const row = { account_id: app.accountId, uuid, kind: 'TEMPLATE', filename: 'a', mime_type, size: 3, path };
  await app.deps.db.insertInto('media').values(row).execute();
  return uuid;
}

describe('an edit', () => {
  test('names only what it changed, and is not taken while the platform decides', async () => {
    const { uuid } = await approved();
    await edit(uuid, { components: another });
    await submit(uuid);
    assert.deepEqual(peer.calls, ['update components']);
    const { status, body } = await edit(uuid, { components: another });
    assert.deepEqual(
      [status, body],
      [400, { non_field_errors: ['A template with the status PENDING cannot be changed.'] }],
    );
    assert.deepEqual(await heard(uuid), ['APPROVED UNKNOWN', 'PENDING UNKNOWN']);
  });

  test('that is refused for good leaves what the carrier has, with its words', async () => {
    const { uuid } = await approved();
    await edit(uuid, { components: another });
    peer.meanwhile = refusing({ temporary: false });
    await submit(uuid);
    const { status, components, rejected_reason } = await get(uuid);
    assert.deepEqual([status, components, rejected_reason], ['APPROVED', [body], 'Not like this.']);
  });
});

describe('a deletion', () => {
  test('is done when the carrier agreed, and tried again while it cannot say', async () => {
    const { uuid, name } = await approved();
    await remove(uuid);
    peer.meanwhile = refusing({ temporary: true });
    await assert.rejects(drop(uuid), CarrierRefusal);
    peer.meanwhile = async () => {};
    await drop(uuid);
    await drop(uuid);
    assert.deepEqual(peer.calls, ['delete', 'delete']);
    assert.equal(peer.standing.size, 0);
    assert.deepEqual(await heard(uuid), ['APPROVED UNKNOWN', 'DELETED UNKNOWN']);
    const again = await app.call('POST', url, draftOf(name));
    assert.equal(again.status, 201);
  });

  test('that is refused for good brings the template back, with the words of the carrier', async () => {
    const { uuid } = await approved();
    await remove(uuid);
    assert.equal((await app.call('GET', `${url}${uuid}/`)).status, 404);
    peer.meanwhile = refusing({ temporary: false });
    await drop(uuid);
    const { status, rejected_reason } = await get(uuid);
    assert.deepEqual([status, rejected_reason], ['APPROVED', 'Not like this.']);
  });

  test('comes before a new template of the same name is submitted', async () => {
    const { uuid, name } = await approved();
    await remove(uuid);
    const next = (await app.call('POST', url, draftOf(name))).body;
    await assert.rejects(submit(next.uuid), /being deleted/);
    await drop(uuid);
    await submit(next.uuid);
    assert.deepEqual(peer.calls, ['delete', 'create']);
  });
});
