// A client that others wrote for the platform speaks to the simulator: what it sends is taken, what it reads is what happened.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  ActionButtons,
  ActionCTA,
  ActionList,
  ActionLocation,
  ActionNavigateFlow,
  Body,
  BodyComponent,
  BodyParameter,
  Button,
  Footer,
  Header,
  HeaderComponent,
  HeaderParameter,
  Image,
  Interactive,
  ListSection,
  PayloadComponent,
  Row,
  Template,
  Text,
  URLComponent,
} from 'whatsapp-api-js/messages';
import type { ClientMessage, ServerMessageResponse } from 'whatsapp-api-js/types';
import { type PersonControl, signatureOf } from '../../simulators/cloud-api/index.ts';
import { png } from '../kit/media/sample-files.ts';
import { startForeignClient } from './foreign-client.ts';

const phone = '+34600111222';
const body = new Body('Shall we?');
type Foreign = Awaited<ReturnType<typeof startForeignClient>>;
let foreign: Foreign;
let client: Foreign['client'];
let simulator: Foreign['simulator'];
let person: PersonControl;
before(async () => {
  foreign = await startForeignClient();
  ({ client, simulator } = foreign);
  person = simulator.person(phone).behaves({ name: 'Ána "Sol"' });
  person.writes('Hola');
  await simulator.idle();
});
after(() => foreign.close());
beforeEach(async () => {
  await simulator.idle();
  foreign.forget();
});

async function send(message: ClientMessage): Promise<string> {
  const sending = client.sendMessage(simulator.numberId, phone, message, undefined, 'job-17');
  const answer = (await sending) as ServerMessageResponse;
  assert.ok('messages' in answer, JSON.stringify(answer));
  return answer.messages[0].id;
}

async function upload(): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'house.png');
  const answer = (await client.uploadMedia(simulator.numberId, form)) as { id: string };
  assert.match(answer.id ?? JSON.stringify(answer), /^\d+$/);
  return answer.id;
}

describe('What the client sends is taken, and its statuses are read:', () => {
  const link = 'https://cdn.example/house.png';
  const kinds: Record<string, () => ClientMessage | Promise<ClientMessage>> = {
    text: () => new Text('¿Sí? https://a.example 🏡', true),
    'image by link': () => new Image(link, false, 'The house'),
    'image by upload': async () => new Image(await upload(), true),
    template: () =>
      new Template(
        'visit',
        'en_US',
        new HeaderComponent(new HeaderParameter(new Image(link))),
        new BodyComponent(new BodyParameter('Ana'), new BodyParameter('A-17')),
        new PayloadComponent('yes:17'),
        new URLComponent('a-17'),
      ),
    'one-time password': () => Template.OTP('code', 'en_US', '123456'),
    buttons: () =>
      new Interactive(
        new ActionButtons(new Button('y', 'Yes'), new Button('n', 'No')),
        body,
        new Header(new Image(link)),
        new Footer('Best Homes'),
      ),
    list: () =>
      new Interactive(
        new ActionList('Choose', new ListSection('Morning', new Row('10', '10:00', 'with Ana'))),
        body,
        new Header('Times'),
      ),
    link: () => new Interactive(new ActionCTA('Open', 'https://a.example/?a=1&b=2'), body),
    flow: () =>
      new Interactive(
        new ActionNavigateFlow('token-17', foreign.flow.id, 'Start', 'FIRST', { name: 'Ana' }, 'published'),
        body,
      ),
    'location request': () => new Interactive(new ActionLocation(), body),
  };
  for (const [title, make] of Object.entries(kinds)) {
    test(title, async () => {
      const message = await make();
      const id = await send(message);
      const taken = simulator.world.messages.get(id)!;
      assert.deepEqual(taken.payload[message._type], JSON.parse(JSON.stringify(message)));
      await simulator.idle();
      assert.deepEqual(
        foreign.statuses.map((told) => [
          told.id,
          told.status,
          told.recipient,
          told.biz_opaque_callback_data,
          told.phoneID,
        ]),
        ['sent', 'delivered', 'read'].map((status) => [
          id,
          status,
          { phone: person.person.waId, bsuid: person.person.userId, pbsuid: undefined },
          'job-17',
          simulator.numberId,
        ]),
      );
      assert.deepEqual(foreign.answered, [200, 200, 200]);
    });
  }
});

describe('What a person does is what the client reads:', () => {
  const place = { latitude: 40.4, longitude: -3.7, name: 'Home' };
  const cards = [{ name: { formatted_name: 'Ana' }, phones: [{ phone: '+34600111222', type: 'CELL' }] }];
  const order = {
    catalog_id: '17',
    text: 'Soon',
    product_items: [{ product_retailer_id: 'a', quantity: 2, item_price: 30, currency: 'EUR' }],
  };
  const buttons = () => new Interactive(new ActionButtons(new Button('y', 'Yes')), body);
  const list = () =>
    new Interactive(new ActionList('Choose', new ListSection(undefined, new Row('10', '10:00'))), body);
  const visit = () =>
    new Template(
      'visit',
      'en_US',
      new HeaderComponent(new HeaderParameter(new Image('https://cdn.example/house.png'))),
      new BodyComponent(new BodyParameter('Ana'), new BodyParameter('A-17')),
      new PayloadComponent('yes:17'),
      new URLComponent('a-17'),
    );
  const survey = () => new Interactive(new ActionNavigateFlow('token-17', foreign.flow.id, 'Start', 'FIRST'), body);
  const hello = () => new Text('Hello');

  type Deed = { sent?: () => ClientMessage; act: () => void; type: string; read: (answered: string) => unknown };
  const deeds: Record<string, Deed> = {
    'text, with signs that are escaped': {
      act: () => person.writes('¿Sí? "a/b" \\ <x> & 50€ me@x.example 🏡'),
      type: 'text',
      read: () => ({ body: '¿Sí? "a/b" \\ <x> & 50€ me@x.example 🏡' }),
    },
    location: { act: () => person.sharesLocation(place), type: 'location', read: () => place },
    contacts: { act: () => person.sharesContacts(cards), type: 'contacts', read: () => cards },
    order: { act: () => person.orders(order), type: 'order', read: () => order },
    reaction: {
      sent: hello,
      act: () => person.reacts('👍🏽'),
      type: 'reaction',
      read: (message_id) => ({ message_id, emoji: '👍🏽' }),
    },
    'reaction taken back': {
      sent: hello,
      act: () => person.reacts(),
      type: 'reaction',
      read: (message_id) => ({ message_id }),
    },
    'button reply': {
      sent: buttons,
      act: () => person.presses('Yes'),
      type: 'interactive',
      read: () => ({ type: 'button_reply', button_reply: { id: 'y', title: 'Yes' } }),
    },
    'list reply': {
      sent: list,
      act: () => person.presses('10'),
      type: 'interactive',
      read: () => ({ type: 'list_reply', list_reply: { id: '10', title: '10:00' } }),
    },
    'quick reply of a template': {
      sent: visit,
      act: () => person.presses('Yes'),
      type: 'button',
      read: () => ({ payload: 'yes:17', text: 'Yes' }),
    },
    'flow answer': {
      sent: survey,
      act: () => person.answersFlow({ stars: 5 }),
      type: 'interactive',
      read: () => ({
        type: 'nfm_reply',
        nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"flow_token":"token-17","stars":5}' },
      }),
    },
    unsupported: { act: () => person.sendsUnsupported(), type: 'unsupported', read: () => ({ type: 'poll_creation' }) },
  };
  for (const [title, { sent, act, type, read }] of Object.entries(deeds)) {
    test(title, async () => {
      const answeredId = sent ? await send(sent()) : '';
      act();
      await simulator.idle();
      const [told, ...others] = foreign.messages;
      assert.equal(others.length, 0);
      assert.deepEqual([told!.message.type, told!.contact.profile?.name], [type, 'Ána "Sol"']);
      assert.deepEqual((told!.message as unknown as Record<string, unknown>)[type], read(answeredId));
      assert.deepEqual([told!.phoneID, told!.contact.wa_id], [simulator.numberId, person.person.waId]);
      assert.ok(foreign.answered.every((status) => status === 200));
    });
  }

  test('image, whose bytes it downloads', async () => {
    person.sends({ kind: 'image', mimeType: 'image/png', bytes: png, caption: 'My house' });
    await simulator.idle();
    const { message } = foreign.messages[0]!;
    assert.ok(message.type === 'image');
    assert.deepEqual([message.image.caption, message.image.mime_type], ['My house', 'image/png']);
    const described = await client.retrieveMedia(message.image.id, simulator.numberId);
    assert.ok('url' in described, JSON.stringify(described));
    const file = await client.fetchMedia(described.url);
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), png);
  });

  test('an answer that quotes, and a read receipt', async () => {
    const { id } = person.writes('Still there?');
    await simulator.idle();
    await foreign.messages[0]!.received('text');
    assert.equal(simulator.world.messages.get(id)!.readByBusiness, true);
    await client.sendMessage(simulator.numberId, phone, new Text('Yes'), foreign.messages[0]!.message.id);
    const sent = person.messages().findLast(({ direction }) => direction === 'out')!;
    assert.deepEqual(sent.payload['context'], { message_id: id });
  });
});

test('the client refuses what the simulator did not sign', async () => {
  person.writes('Buenas');
  await simulator.idle();
  const { body } = simulator.webhooks.deliveries.findLast(({ body }) => body.includes('Buenas'))!;
  const post = async (signature: string, text = body) =>
    (await fetch(foreign.url, { method: 'POST', headers: { 'x-hub-signature-256': signature }, body: text })).status;
  assert.equal(await post(signatureOf(simulator.appSecret, body)), 200);
  assert.equal(await post(signatureOf('another secret', body)), 401);
  assert.equal(await post(signatureOf(simulator.appSecret, body), body.replace('Buenas', 'Malas')), 401);
  assert.equal(foreign.messages.length, 2);
});
