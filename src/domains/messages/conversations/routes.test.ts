import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { until } from '../../../../test/kit/until.ts';

describe('GET /v2/chatapp/conversations/', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
    for (const [from, name] of people) await write(from, name, `Hello from ${name}`);
    await app.call('POST', '/v2/sandbox/clock/', { advance_seconds: 3600 });
  });
  after(() => app.close());

  const business = '+44 7700 900001';
  const people = [
    ['+447700900201', 'Ana'],
    ['+447700900202', 'Ben'],
    ['+447700900203', 'Cleo'],
  ] as const;
  const write = async (from: string, name: string, text: string) => {
    const { status, body } = await app.call('POST', '/v2/sandbox/chatapp/messages/', {
      from,
      name,
      to: business,
      text: { body: text },
    });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  const list = async (query = '') => (await app.call('GET', `/v2/chatapp/conversations/${query}`)).body;

  it('has who wrote last first, with what was said last by either side', async () => {
    const answer = await app.call('POST', '/v2/chatapp/messages/', {
      chatapp_number: business,
      to_chatapp_number: people[0][0],
      type: 'TEXT',
      text: { body: 'Hello, Ana.' },
    });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    const { count, results } = await list();
    assert.equal(count, 3);
    assert.deepEqual(
      results.map(({ name }: { name: string }) => name),
      ['Cleo', 'Ben', 'Ana'],
    );
    const [, ben, ana] = results;
    assert.deepEqual(
      [ben.number, ben.chatapp_number, ben.last_message.direction, ben.last_message.message_data.text.body],
      ['+447700900202', business, 'INBOUND', 'Hello from Ben'],
    );
    assert.deepEqual([ana.last_message.uuid, ana.last_message.direction], [answer.body.uuid, 'OUTBOUND']);
    await write(...people[0], 'Still there?');
    assert.equal((await list()).results[0].name, 'Ana', 'who writes again comes first');
  });

  it('says until when anything may be sent, by the time of the account', async () => {
    const [{ last_inbound, window_closes, is_open }] = (await list('?number=%2B447700900203')).results;
    assert.equal(Date.parse(window_closes) - Date.parse(last_inbound), 24 * 3_600_000);
    assert.equal(is_open, true);
    await app.call('POST', '/v2/sandbox/clock/', { advance_seconds: 24 * 3600 });
    await until(async () => !(await list('?number=%2B447700900203')).results[0].is_open);
  });

  it('goes by pages, and by number', async () => {
    const first = await list('?page_size=2');
    const second = await list(new URL(first.next).search);
    assert.equal(second.results.length, 1);
    assert.deepEqual((await list('?chatapp_number=%2B447700900002')).results, []);
    assert.equal((await list(`?chatapp_number=${encodeURIComponent(business)}`)).count, 3);
  });

  it('calls people as the contact with their number is called, unless they call themselves something', async () => {
    const nameless = '+447700900204';
    const nameOf = async (number: string) => (await list(`?number=${encodeURIComponent(number)}`)).results[0].name;
    const contact = (phone_number: string, name: string, options?: Parameters<TestApp['call']>[3]) =>
      app.call('POST', '/v2/contacts/', { phone_number, name }, options);
    await write(nameless, '', 'Hello from somebody');
    await contact(nameless, 'Another account’s', { token: app.otherToken });
    assert.equal(await nameOf(nameless), '');
    const { status, body } = await contact('44 7700 900204', 'Dora Fenn');
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(await nameOf(nameless), 'Dora Fenn');
    await contact(people[1][0], 'Benjamin');
    assert.equal(await nameOf(people[1][0]), 'Ben');
    await write(nameless, 'Dora', 'This is Dora.');
    assert.equal(await nameOf(nameless), 'Dora');
  });

  it('shows nobody another account’s; both sides of one are to be had', async () => {
    const other = await app.call('GET', '/v2/chatapp/conversations/', undefined, { token: app.otherToken });
    assert.equal(other.body.count, 0);
    const place = `/v2/chatapp/messages/?chatapp_number=${encodeURIComponent(business)}&with=%2B447700900201`;
    const { body } = await app.call('GET', place);
    assert.deepEqual(
      body.results.map(({ direction }: { direction: string }) => direction),
      ['INBOUND', 'OUTBOUND', 'INBOUND'],
    );
  });
});
