import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../src/platform/ids.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';

const later = (): string => new Date(Date.now() + 30 * 86_400_000).toISOString();

describe('Operations on many objects', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  const post = async (place: string, body: object, token = app.token) => app.call('POST', place, body, { token });
  const make = async (place: string, body: object): Promise<string> => (await post(place, body)).body.uuid;
  const notFound = (uuid: string) => ({ uuid, detail: 'Not found.', code: 'not_found' });

  it('POST /v2/contacts/delete/ › deletes those that are there, and names the others', async () => {
    const list = await make('/v2/lists/', { name: 'Many' });
    const contacts = [];
    for (const last of [1, 2, 3])
      contacts.push(await make('/v2/contacts/', { phone_number: `+4477009001${last}0`, lists: [list] }));
    const [one, two, three] = contacts as [string, string, string];
    const unknown = newId();
    // Another tenant finds none of them.
    const theirs = await post('/v2/contacts/delete/', { contacts: [one] }, app.otherToken);
    assert.deepEqual([theirs.status, theirs.body], [200, { done: 0, errors: [notFound(one)] }]);
    const answer = await post('/v2/contacts/delete/', { contacts: [one, unknown, two.toUpperCase(), one] });
    assert.deepEqual([answer.status, answer.body], [200, { done: 2, errors: [notFound(unknown)] }]);
    assert.equal((await app.call('GET', `/v2/contacts/${one}/`)).status, 404);
    assert.equal((await app.call('GET', `/v2/contacts/${three}/`)).status, 200);
    assert.equal((await app.call('GET', `/v2/lists/${list}/`)).body.contact_count, 1);
    const { results } = (await app.call('GET', `/v2/events/?subject=${two}`)).body;
    assert.equal(results[0].kind, 'contact.deleted');
  });

  it('names the field of what it cannot take: none, too many, no ids', async () => {
    for (const contacts of [[], Array.from({ length: 1001 }, newId), ['x'], 'x', undefined]) {
      const answer = await post('/v2/contacts/delete/', { contacts });
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, ['contacts']]);
    }
  });

  it('POST /v2/chatapp/leads/update/ and /delete/ › change and delete those that are there', async () => {
    await post('/v2/chatapp/accounts/', { carrier: 'sandbox', chatapp_number: '+447700900001' });
    const leads = [];
    for (const last of [1, 2])
      leads.push(
        await make('/v2/chatapp/leads/', { chatapp_number: '+447700900001', phone_number: `+4477009002${last}0` }),
      );
    const [one, two] = leads as [string, string];
    const unknown = newId();
    assert.equal((await post('/v2/chatapp/leads/update/', { leads, status: 'WON' }, app.otherToken)).body.done, 0);
    const answer = await post('/v2/chatapp/leads/update/', { leads: [...leads, unknown], status: 'WON', owner: 'Ada' });
    assert.deepEqual([answer.status, answer.body], [200, { done: 2, errors: [notFound(unknown)] }]);
    const lead = (await app.call('GET', `/v2/chatapp/leads/${one}/`)).body;
    assert.deepEqual([lead.status, lead.owner], ['WON', 'Ada']);
    const nothing = await post('/v2/chatapp/leads/update/', { leads });
    assert.deepEqual([nothing.status, nothing.body], [400, { non_field_errors: ['Enter a status or an owner.'] }]);
    assert.deepEqual(Object.keys((await post('/v2/chatapp/leads/update/', { leads, status: 'X' })).body), ['status']);
    assert.deepEqual((await post('/v2/chatapp/leads/delete/', { leads: [two, unknown] })).body, {
      done: 1,
      errors: [notFound(unknown)],
    });
    assert.equal((await app.call('GET', `/v2/chatapp/leads/${two}/`)).status, 404);
    assert.equal((await app.call('GET', `/v2/chatapp/leads/${one}/`)).status, 200);
  });

  it('POST /v2/chatapp/messages/cancel/ › takes back what waits, and says what has left', async () => {
    const send = (to: string, more: object = {}) =>
      make('/v2/chatapp/messages/', {
        chatapp_number: '+447700900001',
        to_chatapp_number: to,
        type: 'TEXT',
        text: { body: 'Hello' },
        ...more,
      });
    const waiting = await send('+447700900301', { send_at: later() });
    const other = await send('+447700900302', { send_at: later() });
    await post(`/v2/chatapp/messages/${other}/cancel/`, {});
    const unknown = newId();
    const messages = [waiting, other, unknown];
    assert.equal((await post('/v2/chatapp/messages/cancel/', { messages }, app.otherToken)).body.done, 0);
    const left = {
      uuid: other,
      detail: 'The message has already been sent, or is being sent now.',
      code: 'message_not_queued',
    };
    assert.deepEqual((await post('/v2/chatapp/messages/cancel/', { messages })).body, {
      done: 1,
      errors: [left, notFound(unknown)],
    });
    assert.equal((await app.call('GET', `/v2/chatapp/messages/${waiting}/`)).body.status, 'CANCELLED');
    const ledger = (await app.call('GET', '/v2/account/ledger/')).body;
    assert.deepEqual([ledger.final.cancelled, ledger.unaccounted], [2, 0]);
  });

  it('POST /v2/send-sms/cancel/ › takes back what waits, and says what has left', async () => {
    const { number } = (await post('/v2/number/', { country_code: 'GB' })).body;
    const send = () => make('/v2/send-sms/', { from: number, to: '+447700900401', text: 'Hello', send_at: later() });
    const [waiting, other, unknown] = [await send(), await send(), newId()];
    assert.equal((await app.call('DELETE', `/v2/send-sms/${other}/`)).status, 204);
    const sms = [waiting, other, unknown];
    assert.equal((await post('/v2/send-sms/cancel/', { sms }, app.otherToken)).body.done, 0);
    const { done, errors } = (await post('/v2/send-sms/cancel/', { sms })).body;
    assert.equal(done, 1);
    assert.deepEqual(
      errors.map(({ uuid, code }: { uuid: string; code: string }) => [uuid, code]),
      [
        [other, 'sms_not_queued'],
        [unknown, 'not_found'],
      ],
    );
    assert.equal((await app.call('GET', `/v2/send-sms/${waiting}/`)).body.status, 'CANCELLED');
  });

  it('POST /v2/opt-outs/multiple/ › opts all of them out, or nobody', async () => {
    const numbers = ['+447700900501', '07700 900502'];
    const answer = await post('/v2/opt-outs/multiple/', { phone_numbers: numbers, channel: 'SMS', text: 'Asked' });
    assert.equal(answer.status, 201);
    assert.deepEqual(
      answer.body.results.map(({ phone_number, channel, text }: Record<string, string>) => [
        phone_number,
        channel,
        text,
      ]),
      numbers.map((number) => [number, 'SMS', 'Asked']),
    );
    // Once more, and one that is new: those who are out stay as they are.
    const again = await post('/v2/opt-outs/multiple/', {
      phone_numbers: [...numbers, '+447700900503'],
      channel: 'SMS',
    });
    assert.equal(again.body.results[0].uuid, answer.body.results[0].uuid);
    const bad = await post('/v2/opt-outs/multiple/', { phone_numbers: ['+447700900504', 'nobody'] });
    assert.deepEqual([bad.status, Object.keys(bad.body)], [400, ['phone_numbers']]);
    assert.equal((await app.call('GET', '/v2/opt-outs/')).body.count, 3);
    assert.equal((await app.call('GET', '/v2/opt-outs/', undefined, { token: app.otherToken })).body.count, 0);
  });
});
