import { createHash } from 'node:crypto';
import type { InboundFile, PersonControl } from '../../simulators/cloud-api/index.ts';
import { mp4, opus, pdf, png, webp } from '../kit/media/sample-files.ts';

/** What the message of the person is told by: their answered message, and its own uuid. */
export interface Told {
  uuid: string;
  answered: string;
}

/** Something that a person does, perhaps with a message that they got, and what the API must show of it. */
export interface InboundRow {
  title: string;
  /** A message that is sent to them first. */
  sent?: { type: string; [field: string]: unknown };
  act: (person: PersonControl) => void;
  type: string;
  data: (told: Told) => object;
  /** The message that it says it answers. */
  quotes?: true;
  file?: Buffer;
}

export const publicUrl = 'https://parley.example';

const body = { text: 'Shall we?' };
const text = { type: 'TEXT', text: { body: 'Hello' } };
const interactive = (type: string, action: object) => ({
  type: 'INTERACTIVE',
  interactive: { type, body, action },
});

const file = (given: InboundFile, shown: object): InboundRow => ({
  title: `${given.kind}`,
  act: (person) => person.sends(given),
  type: given.kind.toUpperCase(),
  file: given.bytes,
  data: ({ uuid }) => ({
    media: {
      url: `${publicUrl}/v2/chatapp/messages/${uuid}/media/`,
      mime_type: given.mimeType,
      sha256: createHash('sha256').update(given.bytes).digest('base64'),
      ...shown,
    },
  }),
});

const place = { latitude: 40.4, longitude: -3.7, name: 'Home', address: 'Gran Vía 1' };
const cards = [
  { name: { formatted_name: 'Ana', first_name: 'Ana' }, phones: [{ phone: '+34600111222', type: 'CELL' }] },
];
const order = {
  catalog_id: '194836987003835',
  text: 'Soon, please',
  product_items: [{ product_retailer_id: 'di9ozbzfi4', quantity: 2, item_price: 30, currency: 'EUR' }],
};

/** The templates that rows send; to be approved on the platform. */
export const inboundTemplates = [
  {
    name: 'visit',
    components: [
      { type: 'BODY', text: 'Shall we?' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Yes' },
          { type: 'QUICK_REPLY', text: 'No' },
        ],
      },
    ],
  },
  {
    name: 'survey',
    components: [
      { type: 'BODY', text: 'Tell us' },
      { type: 'BUTTONS', buttons: [{ type: 'FLOW', text: 'Start', flow_id: '1' }] },
    ],
  },
];

const template = (name: string, sub_type: string, index: number, parameter: object) => ({
  type: 'TEMPLATE',
  template: { template_name: name, components: [{ type: 'button', sub_type, index, parameters: [parameter] }] },
});

/** Everything the simulator's people can do. */
export const inboundRows: InboundRow[] = [
  {
    title: 'text',
    act: (person) => person.writes('¿Sí? "a/b" \\ 50€ me@x.example 🏡'),
    type: 'TEXT',
    data: () => ({ text: { body: '¿Sí? "a/b" \\ 50€ me@x.example 🏡' } }),
  },
  {
    title: 'text that answers a message',
    sent: text,
    act: (person) =>
      person.writes('Yes', { replyTo: person.messages().findLast(({ direction }) => direction === 'out')!.id }),
    type: 'TEXT',
    data: () => ({ text: { body: 'Yes' } }),
    quotes: true,
  },
  file({ kind: 'image', mimeType: 'image/png', bytes: png, caption: 'My house' }, { caption: 'My house' }),
  file({ kind: 'video', mimeType: 'video/mp4', bytes: mp4 }, {}),
  file({ kind: 'audio', mimeType: 'audio/ogg; codecs=opus', bytes: opus, voice: true }, { voice: true }),
  file({ kind: 'document', mimeType: 'application/pdf', bytes: pdf, filename: 'Año.pdf' }, { filename: 'Año.pdf' }),
  file({ kind: 'sticker', mimeType: 'image/webp', bytes: webp }, { animated: false }),
  {
    title: 'location',
    act: (person) => person.sharesLocation(place),
    type: 'LOCATION',
    data: () => ({ location: place }),
  },
  {
    title: 'contacts',
    act: (person) => person.sharesContacts(cards),
    type: 'CONTACTS',
    data: () => ({ contacts: cards }),
  },
  {
    title: 'reaction',
    sent: text,
    act: (person) => person.reacts('👍🏽'),
    type: 'REACTION',
    data: ({ answered }) => ({ reaction: { message_uuid: answered, emoji: '👍🏽' } }),
  },
  {
    title: 'reaction taken back',
    sent: text,
    act: (person) => person.reacts(),
    type: 'REACTION',
    data: ({ answered }) => ({ reaction: { message_uuid: answered, emoji: '' } }),
  },
  {
    title: 'button reply',
    sent: interactive('button', { buttons: [{ type: 'reply', id: 'y', title: 'Yes' }] }),
    act: (person) => person.presses('y'),
    type: 'INTERACTIVE',
    data: () => ({ interactive: { type: 'button_reply', button_reply: { id: 'y', title: 'Yes' } } }),
    quotes: true,
  },
  {
    title: 'list reply',
    sent: interactive('list', {
      button: 'Choose',
      sections: [{ rows: [{ id: '10', title: '10:00', description: 'with Ana' }] }],
    }),
    act: (person) => person.presses('10:00'),
    type: 'INTERACTIVE',
    data: () => ({
      interactive: { type: 'list_reply', list_reply: { id: '10', title: '10:00', description: 'with Ana' } },
    }),
    quotes: true,
  },
  {
    title: 'quick reply of a template',
    sent: template('visit', 'quick_reply', 1, { type: 'payload', payload: 'no:17' }),
    act: (person) => person.presses('No'),
    type: 'INTERACTIVE',
    data: () => ({ interactive: { type: 'button_reply', button_reply: { id: 'no:17', title: 'No' } } }),
    quotes: true,
  },
  {
    title: 'flow answer',
    sent: template('survey', 'flow', 0, { type: 'action', action: { flow_token: 'token-17' } }),
    act: (person) => person.answersFlow({ stars: 5, why: 'Niño', nested: { list: [1, 'a', null] } }),
    type: 'INTERACTIVE',
    data: () => ({
      interactive: {
        type: 'nfm_reply',
        nfm_reply: {
          name: 'flow',
          body: 'Sent',
          flow_token: 'token-17',
          answers: { stars: 5, why: 'Niño', nested: { list: [1, 'a', null] } },
        },
      },
    }),
    quotes: true,
  },
  { title: 'order', act: (person) => person.orders(order), type: 'ORDER', data: () => ({ order }) },
  {
    title: 'unsupported',
    act: (person) => person.sendsUnsupported('poll_creation'),
    type: 'UNSUPPORTED',
    data: () => ({
      unsupported: {
        type: 'poll_creation',
        errors: [
          {
            code: 131051,
            title: 'Unsupported message type',
            message: 'Unsupported message type',
            error_data: { details: 'Message type is currently not supported.' },
            href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
          },
        ],
      },
    }),
  },
];
