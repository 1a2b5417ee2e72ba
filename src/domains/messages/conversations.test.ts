import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { until } from '../../../test/kit/until.ts';

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

  it('by the last message: what was sent counts as much as what came, page by page', async () => {
    const send = (person: string) =>
      app.call('POST', '/v2/chatapp/messages/', {
        chatapp_number: business,
        to_chatapp_number: person,
        type: 'TEXT',
        text: { body: 'Hello.' },
      });
    const names = (page: { results: { name: string }[] }) => page.results.map(({ name }) => name);
    assert.equal((await send(people[1][0])).status, 201);
    await until(async () => names(await list('?ordering=-last_message'))[0] === 'Ben');
    assert.equal(names(await list())[0], 'Ana', 'who wrote last is first as before');
    // Two at once: one statement for both, and each goes before the other.
    await Promise.all([send(people[2][0]), send(people[2][0])]);
    await until(async () => names(await list('?ordering=-last_message'))[0] === 'Cleo');
    const all = ['Cleo', 'Ben', 'Ana'];
    assert.deepEqual(names(await list('?ordering=last_message')), all.toReversed());
    const seen: string[] = [];
    for (let query: string | undefined = '?ordering=-last_message&page_size=1'; query; ) {
      const page = await list(query);
      seen.push(...names(page));
      query = page.next ? new URL(page.next).search : undefined;
    }
    assert.deepEqual(seen, all);
    const ofSender = `?ordering=-last_message&chatapp_number=${encodeURIComponent(business)}`;
    assert.deepEqual(names(await list(ofSender)), all);
    const [{ last_message }] = (await list('?ordering=-last_message&number=%2B447700900203')).results;
    assert.equal(last_message.direction, 'OUTBOUND');
  });

  it('a message that waits to leave moves nothing', async () => {
    const [first] = (await list('?ordering=-last_message')).results;
    assert.notEqual(first.name, 'Ben');
    const { status, body } = await app.call('POST', '/v2/chatapp/messages/', {
      chatapp_number: business,
      to_chatapp_number: people[1][0],
      type: 'TEXT',
      text: { body: 'Tomorrow.' },
      send_at: new Date(Date.now() + 48 * 3_600_000).toISOString(),
    });
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal((await list('?ordering=-last_message')).results[0].name, first.name);
    await app.call('DELETE', `/v2/chatapp/messages/${body.uuid}/`);
  });

  it('400 for an ordering that does not exist, 404 for a place in another order or none', async () => {
    const refused = async (query: string) => (await app.call('GET', `/v2/chatapp/conversations/${query}`)).status;
    assert.equal(await refused('?ordering=name'), 400);
    const usual = new URL((await list('?page_size=1')).next).searchParams.get('cursor')!;
    assert.equal(await refused(`?ordering=-last_message&cursor=${usual}`), 404);
    const uuid = '01890000-0000-7000-8000-000000000000';
    for (const bad of ['', 'x', `${uuid}0`, "'"]) {
      const cursor = Buffer.from(`N${uuid}${bad}`).toString('base64url');
      assert.equal(await refused(`?ordering=-last_message&cursor=${cursor}`), 404, bad);
    }
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
