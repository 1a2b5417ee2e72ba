import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';

const url = '/v2/chatapp/chat-intros/';
const number = '+447700900001';

describe('an intro whose reference another one has', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  const post = (fields: object) => app.call('POST', url, { chatapp_number: number, ...fields });
  const put = (reference: string, fields: object = {}) =>
    app.call('PUT', `${url}by-reference/${encodeURIComponent(reference)}/`, { chatapp_number: number, ...fields });
  const countOf = async (reference: string) =>
    (await app.call('GET', `${url}?reference_id=${encodeURIComponent(reference)}`)).body.count;

  it('create, and nothing said: there are two', async () => {
    await post({ reference_id: 'two' });
    assert.equal((await post({ reference_id: 'two' })).status, 201);
    assert.equal((await post({ reference_id: 'two', on_duplicate: 'create' })).status, 201);
    assert.equal(await countOf('two'), 3);
  });

  it('refuse: 400 at the reference, and another number may have it', async () => {
    await post({ reference_id: 'one' });
    const { status, body } = await post({ reference_id: 'one', on_duplicate: 'refuse' });
    assert.deepEqual([status, body], [400, { reference_id: ['Another chat intro has this reference.'] }]);
    const elsewhere = { chatapp_number: '+447700900002', reference_id: 'one', on_duplicate: 'refuse' };
    assert.equal((await app.call('POST', url, elsewhere)).status, 201);
  });

  it('update: the one that is there is replaced, with its link', async () => {
    const first = (await post({ reference_id: 'same', meta_data: { a: 1 } })).body;
    const again = await post({ reference_id: 'same', reply_message_template: 'Hello', on_duplicate: 'update' });
    assert.deepEqual(
      [again.status, again.body.uuid, again.body.chat_link, again.body.meta_data, again.body.reply_message_template],
      [200, first.uuid, first.chat_link, {}, 'Hello'],
    );
    assert.equal(await countOf('same'), 1);
  });

  it('PUT by reference creates and replaces; of requests at the same moment one creates', async () => {
    const reference = 'Lot 7/b ü';
    const answers = await Promise.all(Array.from({ length: 4 }, () => put(reference)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 200, 201]);
    assert.equal(new Set(answers.map(({ body }) => body.uuid)).size, 1);
    assert.equal(answers[0]!.body.reference_id, reference);
    const other = await put(reference, { reference_id: 'other' });
    assert.deepEqual(
      [other.status, other.body],
      [400, { reference_id: ['This does not match the reference in the URL.'] }],
    );
    const stranger = await app.call(
      'PUT',
      `${url}by-reference/two/`,
      { chatapp_number: number },
      { token: app.otherToken },
    );
    assert.equal(stranger.status, 201);
  });

  it('as CSV: intros, sessions, messages and opt-outs, each with its fields', async () => {
    await app.call('POST', '/v2/opt-outs/', { phone_number: '+447700900555', text: '=1+1' });
    const lists: [list: string, column: RegExp][] = [
      [url, /^uuid,chatapp_number,chat_link,reference_id,/],
      ['/v2/chatapp/chat-intro-sessions/', /^uuid,chat_intro,status,open,aparty_number,/],
      ['/v2/chatapp/messages/', /^uuid,type,status,status_description,chatapp_number,/],
      ['/v2/opt-outs/', /^uuid,/],
    ];
    for (const [list, column] of lists) {
      const { status, body, headers } = await app.call('GET', list, undefined, { headers: { accept: 'text/csv' } });
      assert.equal(status, 200, list);
      assert.match(String(headers['content-type']), /^text\/csv/);
      assert.match(body, column);
    }
    const { body } = await app.call('GET', '/v2/opt-outs/', undefined, { headers: { accept: 'text/csv' } });
    assert.match(body, /447700900555/);
  });
});
