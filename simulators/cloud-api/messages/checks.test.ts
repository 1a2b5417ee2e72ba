import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GraphError } from '../graph/errors.ts';
import { checkMessage } from './checks.ts';

const to = { messaging_product: 'whatsapp', to: '+34600111222' };
const long = (length: number) => 'x'.repeat(length);
const interactive = (content: object) => ({ type: 'interactive', interactive: content });
const button = (id: string, title = id) => ({ type: 'reply', reply: { id, title } });
const buttons = (...list: object[]) => interactive({ type: 'button', body: { text: 'b' }, action: { buttons: list } });
const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ id: `r${from + index}`, title: 'Row' }));
const list = (...sections: object[]) =>
  interactive({ type: 'list', body: { text: 'b' }, action: { button: 'Open', sections } });
const flow = (parameters: object) =>
  interactive({
    type: 'flow',
    body: { text: 'b' },
    action: { name: 'flow', parameters: { flow_message_version: '3', flow_cta: 'Go', ...parameters } },
  });
const template = (components: object[]) => ({
  type: 'template',
  template: { name: 'n', language: { code: 'es' }, components },
});

const accepted: Record<string, object> = {
  text: { text: { body: long(4096), preview_url: true } },
  image: { type: 'image', image: { link: 'https://x.example/a.jpg', caption: 'c' } },
  video: { type: 'video', video: { id: '1' } },
  document: { type: 'document', document: { id: '1', filename: 'a.pdf', caption: 'c' } },
  audio: { type: 'audio', audio: { id: '1', voice: true } },
  sticker: { type: 'sticker', sticker: { id: '1' } },
  location: { type: 'location', location: { latitude: '40.4', longitude: -3.7, name: 'n', address: 'a' } },
  contacts: {
    type: 'contacts',
    contacts: [{ name: { formatted_name: 'Ana' }, phones: [{ phone: '+34', type: 'Home' }], birthday: '1999-01-31' }],
  },
  'reaction removed': { type: 'reaction', reaction: { message_id: 'wamid.X', emoji: '' } },
  buttons: buttons(button('a'), button('b'), button('c')),
  'list of ten rows in two sections': list({ title: 'A', rows: rows(5) }, { title: 'B', rows: rows(5, 5) }),
  cta_url: interactive({
    type: 'cta_url',
    header: { type: 'image', image: { id: '1' } },
    body: { text: 'b' },
    footer: { text: 'f' },
    action: { name: 'cta_url', parameters: { display_text: 'Open', url: 'https://x.example' } },
  }),
  flow: flow({ flow_name: 'n', flow_action: 'navigate', flow_action_payload: { screen: 'A', data: { a: 1 } } }),
  'location request': interactive({
    type: 'location_request_message',
    body: { text: 'b' },
    action: { name: 'send_location' },
  }),
  'contact request': interactive({
    type: 'request_contact_info',
    body: { text: 'b' },
    action: { name: 'request_contact_info' },
  }),
  'template with components in capitals': template([
    { type: 'BODY', parameters: [{ type: 'text', text: 'a' }] },
    { type: 'BUTTON', sub_type: 'QUICK_REPLY', index: '0', parameters: [{ type: 'payload', payload: 'p' }] },
  ]),
};

const refused: Record<string, [code: number, message: object, details?: RegExp]> = {
  'an unknown type': [131051, { type: 'poll', poll: {} }],
  'no recipient': [131008, { to: undefined, text: { body: 'a' } }],
  'no content': [131008, { type: 'image' }, /image is required/],
  'content of another type': [100, { text: { body: 'a' }, image: { id: '1' } }, /Unexpected key "image"/],
  'an unknown field in the envelope': [100, { text: { body: 'a' }, priority: 1 }, /Unexpected key "priority"/],
  'an unknown field in the content': [
    100,
    { text: { body: 'a', bold: true } },
    /Unexpected key "bold" on param "text"/,
  ],
  'a text without body': [131008, { text: {} }, /text\['body'\] is required/],
  'a text of 4097': [100, { text: { body: long(4097) } }, /at most 4096/],
  'callback data of 513': [100, { text: { body: 'a' }, biz_opaque_callback_data: long(513) }],
  'a caption on audio': [100, { type: 'audio', audio: { id: '1', caption: 'c' } }],
  'a caption of 1025': [100, { type: 'image', image: { id: '1', caption: long(1025) } }],
  'media with id and link': [100, { type: 'image', image: { id: '1', link: 'https://x.example' } }],
  'media with neither': [131008, { type: 'image', image: {} }],
  'a link that is none': [100, { type: 'image', image: { link: 'file:///etc/passwd' } }],
  'a latitude of 91': [131009, { type: 'location', location: { latitude: 91, longitude: 0 } }],
  'no contact at all': [131009, { type: 'contacts', contacts: [] }],
  'a contact without name': [131008, { type: 'contacts', contacts: [{ phones: [] }] }],
  'a reaction that quotes': [
    100,
    { type: 'reaction', reaction: { message_id: 'w', emoji: 'x' }, context: { message_id: 'w' } },
  ],
  'four buttons': [131009, buttons(button('a'), button('b'), button('c'), button('d'))],
  'a button title of 21': [100, buttons(button('a', long(21)))],
  'a button title twice': [131009, buttons(button('a', 'same'), button('b', 'same'))],
  'eleven rows in all': [131009, list({ title: 'A', rows: rows(6) }, { title: 'B', rows: rows(5, 6) })],
  'two sections of which one has no title': [131009, list({ title: 'A', rows: rows(1) }, { rows: rows(1, 1) })],
  'a row id twice': [131009, list({ rows: [...rows(1), ...rows(1)] })],
  'a list with a picture': [
    100,
    interactive({
      type: 'list',
      header: { type: 'image', image: { id: '1' } },
      body: { text: 'b' },
      action: { button: 'Open', sections: [{ rows: rows(1) }] },
    }),
  ],
  'a footer of 61': [
    100,
    interactive({
      type: 'button',
      body: { text: 'b' },
      footer: { text: long(61) },
      action: { buttons: [button('a')] },
    }),
  ],
  'an unknown kind of interactive': [100, interactive({ type: 'poll' })],
  'a flow by id and by name': [100, flow({ flow_id: '1', flow_name: 'n' })],
  'a flow by neither': [131008, flow({})],
  'a flow with empty data': [131009, flow({ flow_id: '1', flow_action_payload: { data: {} } })],
  'a flow exchange with a payload': [
    131009,
    flow({ flow_id: '1', flow_action: 'data_exchange', flow_action_payload: { screen: 'A' } }),
  ],
  'a carousel of one card': [
    131009,
    interactive({ type: 'carousel', body: { text: 'b' }, action: { cards: [{ card_index: 0 }] } }),
  ],
  'a template without language': [131008, { type: 'template', template: { name: 'n' } }],
  'a template component nobody knows': [100, template([{ type: 'sidebar' }])],
  'a template parameter nobody knows': [100, template([{ type: 'body', parameters: [{ type: 'emoji' }] }])],
  'a user id that is none': [131009, { to: undefined, recipient: '34600', text: { body: 'a' } }],
};

describe('A message is taken', () => {
  for (const [title, message] of Object.entries(accepted)) {
    it(title, () => assert.ok(checkMessage({ ...to, ...message })));
  }
});

describe('A message is refused', () => {
  for (const [title, [code, message, details]] of Object.entries(refused)) {
    it(`with ${code}: ${title}`, () => {
      assert.throws(
        () => checkMessage({ ...to, ...message }),
        (error) => error instanceof GraphError && error.code === code && (details ?? /./).test(error.details ?? ''),
      );
    });
  }
});
