import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { until } from '../../../test/kit/until.ts';
import { routeMessage } from './route.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.close());

const business = '+442079461000';
const person = '+447700900123';
const configs = '/v2/routing-configs/';

const make = async (body: object): Promise<string> => {
  const answer = await app.call('POST', configs, { name: 'x', ...body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.uuid;
};
const remove = (uuid: string) => app.call('DELETE', `${configs}${uuid}/`);
const chat = async (text: string, from = person, to = business): Promise<string> => {
  const answer = await app.call('POST', '/v2/sandbox/chatapp/messages/', { from, to, text: { body: text } });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.uuid;
};
const sms = async (text: string, from = person, to = business): Promise<string> => {
  const answer = await app.call('POST', '/v2/sandbox/sms/', { from, to, text });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.uuid;
};
const events = async (subject: string, kind: string) =>
  (await app.call('GET', `/v2/events/?subject=${subject}&kind=${kind}`)).body.results;
const routed = (uuid: string, kind = 'message.routed') => until(async () => (await events(uuid, kind))[0]?.data);
const message = async (uuid: string) => (await app.call('GET', `/v2/chatapp/messages/${uuid}/`)).body;
const waiting = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pgboss.job where name = 'inbound.route' and state < 'completed'`.execute(app.deps.db);
  return rows[0]!.count;
};
const settled = () => until(async () => (await waiting()) === 0);

describe('a chat message that no intro wants', () => {
  test('goes where the config says, by its words, and the story tells', async () => {
    const desk = '+447700900401';
    await chat('hello', desk);
    const config = await make({
      channel: 'CHATAPP',
      numbers: [business],
      routes: [
        {
          name: 'Viewings',
          conditions: { keywords: ['viewing'] },
          destination: {
            type: 'CHATAPP',
            chatapp_number: business,
            to: desk,
            text: '{{from}} on {{number}}: {{text}}',
          },
        },
      ],
    });
    const uuid = await chat('A viewing, please. {{from}}');
    const data = await routed(uuid);
    assert.deepEqual(
      [data.config, data.route, data.destination, data.to, data.problems],
      [config, 'Viewings', 'CHATAPP', desk, []],
    );
    const sent = await message(data.sent);
    assert.equal(sent.message_data.text.body, `${person} on ${business}: A viewing, please. {{from}}`);
    assert.deepEqual(sent.meta_data, { routed_from: uuid });

    const button = { id: 'yes', title: 'A viewing' };
    const tap = await app.call('POST', '/v2/sandbox/chatapp/messages/', { from: person, to: business, button });
    assert.equal(tap.status, 201, JSON.stringify(tap.body));
    const tapped = await message((await routed(tap.body.uuid)).sent);
    assert.equal(tapped.message_data.text.body, `${person} on ${business}: A viewing`);

    await routeMessage(app.deps, { accountId: app.accountId, channel: 'CHATAPP', uuid });
    assert.equal((await events(uuid, 'message.routed')).length, 1, 'once, however often it is tried');
    const other = await chat('Something else');
    const reply = await chat('viewing: I am on it', desk);
    const self = await chat('viewing', business);
    const stop = await chat('STOP', '+447700900499');
    await settled();
    for (const one of [other, reply, self, stop]) assert.deepEqual(await events(one, 'message.routed'), []);
    await remove(config);
  });

  test('an agent gets it on the same channel; what one destination refuses, the next one gets', async () => {
    const [phone, other] = ['+447700900402', '+447700900405'];
    await app.call('POST', '/v2/agent-configs/', { name: 'Ana', numbers: ['sip:a@b.c', phone], skills: ['chats'] });
    const template = { template_name: 'forwarded', parameters: ['{{from}}', '{{text}}'] };
    const config = await make({
      channel: 'CHATAPP',
      routes: [
        { name: 'Agent', destination: { type: 'AGENT', skill: 'chats' } },
        { name: 'Template', destination: { type: 'CHATAPP', chatapp_number: business, to: other, template } },
      ],
    });
    const first = await routed(await chat('for an agent'));
    assert.deepEqual([first.route, (await message(first.sent)).to_chatapp_number], ['Agent', phone]);
    await app.call('POST', '/v2/opt-outs/', { phone_number: phone, channel: 'CHATAPP' });
    const data = await routed(await chat('two\nlines'));
    assert.deepEqual([data.route, data.to], ['Template', other]);
    assert.deepEqual(data.problems, [
      { route: 'Agent', problem: 'The recipient has opted out of messages from this account.' },
    ]);
    const { message_data } = await message(data.sent);
    assert.deepEqual(message_data.components[0].parameters, [
      { type: 'text', text: person },
      { type: 'text', text: 'two lines' },
    ]);
    await remove(config);
  });

  test('goes the same way however the config, the agent and the destination are written', async () => {
    const agentPhone = '+447700900451';
    await app.call('POST', '/v2/agent-configs/', { name: 'Ben', numbers: ['07700 900451'] });
    const config = await make({
      channel: 'CHATAPP',
      numbers: ['020 7946 1000'],
      routes: [
        {
          name: 'Itself',
          conditions: { dialled_numbers: ['(020) 7946 1000'], dialled_prefixes: ['020'], caller_prefixes: ['07700'] },
          destination: { type: 'CHATAPP', chatapp_number: '020 7946 1000', to: '0044 20 7946 1000' },
        },
      ],
      fallback: { type: 'CHATAPP', chatapp_number: '020 7946 1000', to: '07700 900452' },
    });
    const data = await routed(await chat('hello'));
    assert.deepEqual(
      [data.route, data.to, data.problems.map(({ route }: { route: string }) => route)],
      ['fallback', '07700 900452', ['Itself']],
    );
    const sent = await message(data.sent);
    assert.deepEqual([sent.chatapp_number, sent.to_chatapp_number], ['020 7946 1000', '07700 900452']);
    const own = [await chat('from the agent', agentPhone), await chat('from the desk', '+447700900452')];
    await settled();
    for (const one of own) assert.deepEqual(await events(one, 'message.routed'), []);
    await remove(config);
  });

  test('is not sent on to a number of the account, and the story says why', async () => {
    const config = await make({
      channel: 'CHATAPP',
      fallback: { type: 'CHATAPP', chatapp_number: business, to: business },
    });
    const { problems } = await routed(await chat('round and round'), 'message.not_routed');
    assert.deepEqual(
      problems.map(({ route }: { route: string }) => route),
      ['fallback'],
    );
    await remove(config);
  });
});

describe('an SMS', () => {
  test('goes on as an SMS or to a webhook, and those who listen hear of it', async () => {
    const webhook = await app.call('POST', '/v2/chatapp/webhooks/', { url: 'https://example.com/h', events: ['*'] });
    assert.equal(webhook.status, 201);
    const config = await make({
      channel: 'SMS',
      numbers: [business],
      routes: [
        { conditions: { keywords: ['hook'] }, destination: { type: 'WEBHOOK', url: 'https://example.com/routed' } },
        { name: 'Rest', destination: { type: 'SMS', from: business, to: '+447700900403' } },
      ],
    });
    const hooked = await routed(await sms('by hook'), 'sms.routed');
    assert.deepEqual([hooked.route, hooked.to], ['route 1', 'https://example.com/routed']);
    const deliveries = (await app.call('GET', '/v2/webhook-deliveries/?type=sms.routed')).body.results;
    assert.deepEqual(
      deliveries.map(({ url }: { url: string }) => url),
      ['https://example.com/routed'],
    );
    const rest = await routed(await sms('x'.repeat(1500)), 'sms.routed');
    const sent = (await app.call('GET', `/v2/send-sms/${rest.sent}/`)).body;
    assert.ok(sent.text.startsWith(`${person}: xxx`) && sent.text.endsWith('…') && sent.segments <= 10);
    await remove(config);
  });

  test('of a number of this server is not sent on again', async () => {
    const bought = await app.call('POST', '/v2/number/', { country_code: 'GB' }, { token: app.otherToken });
    assert.equal(bought.status, 201, JSON.stringify(bought.body));
    const config = await make({ channel: 'SMS', fallback: { type: 'SMS', from: business, to: '+447700900404' } });
    const uuid = await sms('from another account', bought.body.number);
    const normal = await sms('from a person');
    await routed(normal, 'sms.routed');
    await settled();
    assert.deepEqual(await events(uuid, 'sms.routed'), []);
    await remove(config);
  });
});
