import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../kit/app.ts';

describe('Lists take filters also under the names of the fields', () => {
  let app: TestApp;
  const person = '+447700900123';
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
    const chatapp_number = '+447700900001';
    for (const to_chatapp_number of [person, '+447700900124']) {
      await made('/v2/chatapp/messages/', { chatapp_number, to_chatapp_number, type: 'TEMPLATE', template });
    }
    const lists = [(await made('/v2/lists/', { name: 'Buyers' })).uuid];
    for (const phone_number of ['+447700900125', '+447700900126']) {
      await made('/v2/opt-outs/', { phone_number, channel: 'SMS' });
      await made('/v2/chatapp/leads/', { chatapp_number, phone_number });
      await made('/v2/contacts/', { phone_number, ...(phone_number.endsWith('5') && { lists }) });
    }
    list = lists[0]!;
    for (const [name, skills] of [
      ['Ana', ['spanish']],
      ['Ben', []],
    ]) {
      await made('/v2/agent-configs/', { name, skills, numbers: ['+447700900130'] });
    }
    for (const number of ['+442079460990', '+442079460991']) {
      const routes = [{ destination: { type: 'HANGUP' } }];
      await made('/v2/routing-configs/', { name: number, channel: 'VOICE', numbers: [number], routes });
    }
    await made('/v2/number/', { country_code: 'GB', features: ['CALL_TRACKING'], call_tracking: 'Web' });
    await made('/v2/number/', { country_code: 'GB' });
  });
  after(() => app.close());
  const template = { template_name: 'welcome' };
  let list: string;

  async function made(url: string, body: object) {
    const answer = await app.call('POST', url, body);
    assert.ok(answer.status < 300, `${url} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
  const rowsOf = async (url: string) => {
    const { status, body } = await app.call('GET', url);
    assert.equal(status, 200, JSON.stringify(body));
    return body.results;
  };

  const cases: [url: string, field: string, filter: string, value: string | (() => string)][] = [
    ['/v2/chatapp/messages/', 'to_chatapp_number', 'to', '07700 900123'],
    ['/v2/chatapp/leads/', 'phone_number', 'number', '07700 900125'],
    ['/v2/opt-outs/', 'phone_number', 'number', '07700 900125'],
    ['/v2/opt-out-events/', 'phone_number', 'number', '07700 900125'],
    ['/v2/contacts/', 'lists', 'list', () => list],
    ['/v2/agent-configs/', 'skills', 'skill', 'spanish'],
    ['/v2/routing-configs/', 'numbers', 'number', '+442079460990'],
    ['/v2/number/', 'features', 'feature', 'CALL_TRACKING'],
    ['/v2/number/search/', 'country', 'country_code', 'SE'],
  ];
  for (const [url, field, filter, value] of cases) {
    it(`${url}?${field}= is ?${filter}=`, async () => {
      const wanted = encodeURIComponent(typeof value === 'string' ? value : value());
      const rows = await rowsOf(`${url}?${field}=${wanted}`);
      assert.deepEqual(rows, await rowsOf(`${url}?${filter}=${wanted}`));
      assert.ok(rows.length > 0);
      assert.notDeepEqual(rows, await rowsOf(url));
    });
  }

  it('/v2/chatapp/messages/?from_chatapp_number=', async () => {
    const from = async (number: string) => (await rowsOf(`/v2/chatapp/messages/?from_chatapp_number=${number}`)).length;
    assert.deepEqual([await from('%2B447700900001'), await from('%2B447700900123')], [2, 0]);
  });
});
