import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { campaigner } from '../../../../test/kit/campaigns/campaigner.ts';
import { newId } from '../../../platform/ids.ts';

let app: TestApp;
let a: ReturnType<typeof campaigner>;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
  a = campaigner(app);
});
after(() => app.close());

const ask = (query: string, token = app.token) =>
  app.call('GET', `/v2/campaigns/audience/?${query}`, undefined, { token });

describe('GET /v2/campaigns/audience/', () => {
  test('counts everybody once, without the excluded, and says who has opted out of the channel', async () => {
    const one = await a.list(['+447700900801', '+447700900802', '+447700900803']);
    const two = await a.list(['+447700900803', '+447700900804', '+447700900805']);
    const excluded = await a.list(['+447700900805', '+447700900899']);
    await a.make('/v2/opt-outs/', { phone_number: '+447700900801' });
    await a.make('/v2/opt-outs/', { phone_number: '+447700900801', channel: 'SMS' });
    await a.make('/v2/opt-outs/', { phone_number: '+447700900802', channel: 'SMS' });
    await a.make('/v2/opt-outs/', { phone_number: '+447700900805' });
    const gone = (await app.call('GET', `/v2/lists/${two}/contacts/?page_size=200`)).body.results.find(
      ({ phone_number }: { phone_number: string }) => phone_number === '+447700900804',
    );
    const lists = `lists=${one}&lists=${two}&excluded_lists=${excluded}`;
    const sms = { audience: 4, opted_out: 2, people: 2 };
    assert.deepEqual((await ask(`channel=SMS&${lists}`)).body, sms);
    assert.deepEqual((await ask(`channel=CHATAPP&${lists}`)).body, { audience: 4, opted_out: 1, people: 3 });
    assert.deepEqual((await ask(`channel=SMS&lists=${one},${two}&excluded_lists=${excluded}`)).body, sms);
    assert.equal((await ask(`channel=SMS&lists=${two}`)).body.audience, 3);
    const without = `lists=${two}&excluded_lists=${excluded},${one}`;
    assert.deepEqual((await ask(without)).body, { audience: 1, opted_out: 0, people: 1 });
    assert.deepEqual((await ask('')).body, { audience: 0, opted_out: 0, people: 0 });
    await app.call('DELETE', `/v2/contacts/${gone.uuid}/`);
    assert.equal((await ask(`channel=SMS&lists=${two}`)).body.audience, 2);
  });

  test('400 at the field for what is unknown, malformed or another tenant’s', async () => {
    const list = await a.list(['+447700900811']);
    const unknown = newId();
    const wrong: [string, string, string?][] = [
      [`channel=FAX&lists=${list}`, 'channel'],
      ['channel=SMS&lists=x', 'lists'],
      [`channel=SMS&lists=${unknown}`, 'lists'],
      [`channel=SMS&lists=${list}&excluded_lists=${unknown}`, 'excluded_lists'],
      [`channel=SMS&lists=${list}`, 'lists', app.otherToken],
    ];
    for (const [query, field, token] of wrong) {
      const { status, body } = await ask(query, token);
      assert.deepEqual([status, Object.keys(body)], [400, [field]], query);
    }
  });
});
