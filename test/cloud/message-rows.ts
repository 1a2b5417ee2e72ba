import type { CloudSimulator } from '../../simulators/cloud-api/index.ts';
import { aac, mp4, pdf, png, webp } from '../kit/media/sample-files.ts';

/** What a row may refer to: there before anything is sent. */
export interface Props {
  /** What the person wrote first: our name of it, and the platform's. */
  written: { uuid: string; wamid: string };
  /** The uuid of an uploaded file. */
  uploaded(file: Buffer): string;
  /** What the platform calls the file, once a message has brought it there. */
  platformId(file: Buffer): string;
  flow: { id: string; name: string };
  callbackUrl: string;
}

/** A request to the API, and what the platform must get for it, besides the envelope that all messages share. */
export interface Row {
  title: string;
  request: (props: Props) => { type: string; [field: string]: unknown };
  payload: (props: Props) => { type: string; [field: string]: unknown };
  /** A template that was approved for it. */
  approved?: Parameters<CloudSimulator['addTemplate']>[0];
  callback?: true;
}

export const files: [type: string, mimeType: string, file: Buffer][] = [
  ['IMAGE', 'image/png', png],
  ['VIDEO', 'video/mp4', mp4],
  ['AUDIO', 'audio/aac', aac],
  ['DOCUMENT', 'application/pdf', pdf],
  ['STICKER', 'image/webp', webp],
];

const link = 'https://cdn.example/house';
const captions: Record<string, object> = {
  IMAGE: { caption: 'The house' },
  VIDEO: { caption: 'A film' },
  DOCUMENT: { caption: 'Plan', filename: 'plan.pdf' },
};
const body = { text: 'Shall we?' };
const footer = { text: 'Best Homes' };
const place = { latitude: 51.5, longitude: -0.12, name: 'Office', address: '1 High St' };
const card = {
  name: { formatted_name: 'Ana Sol', first_name: 'Ana', last_name: 'Sol' },
  birthday: '1990-05-17',
  addresses: [{ street: '1 High St', city: 'London', country_code: 'GB', type: 'WORK' }],
  emails: [{ email: 'ana@x.example', type: 'WORK' }],
  org: { company: 'Best Homes', department: 'Sales', title: 'Agent' },
  phones: [{ phone: '+34600111222', type: 'HOME' }],
  urls: [{ url: 'https://x.example', type: 'WORK' }],
};

const same = (title: string, type: string, content: object): Row => ({
  title,
  request: () => ({ type, [type.toLowerCase()]: content }),
  payload: () => ({ type: type.toLowerCase(), [type.toLowerCase()]: content }),
});

const interactive = (title: string, given: object, sent: object = given): Row => ({
  title,
  request: () => ({ type: 'INTERACTIVE', interactive: given }),
  payload: () => ({ type: 'interactive', interactive: sent }),
});

/** Quick replies in the API's short form under a header. */
const buttons = (title: string, header?: { given: object; sent: object }): Row => {
  const reply = [
    { id: 'y', title: 'Yes' },
    { id: 'n', title: 'No' },
  ];
  const shape = (buttons: object[], header: object | undefined) => ({
    type: 'button',
    ...(header && { header }),
    body,
    footer,
    action: { buttons },
  });
  return interactive(
    title,
    shape(
      reply.map((one) => ({ type: 'reply', ...one })),
      header?.given,
    ),
    shape(
      reply.map((reply) => ({ type: 'reply', reply })),
      header?.sent,
    ),
  );
};

const mediaHeader = (type: string, more = {}) => ({
  given: { type, [type]: { url: link, ...more } },
  sent: { type, [type]: { link, ...more } },
});

const flow = (title: string, name: (flow: Props['flow']) => object, given: object): Row => {
  const message = (props: Props, more: object) => ({
    type: 'flow',
    header: { type: 'text', text: 'Survey' },
    body,
    action: { name: 'flow', parameters: { ...name(props.flow), flow_cta: 'Start', ...given, ...more } },
  });
  return {
    title,
    request: (props) => ({ type: 'INTERACTIVE', interactive: message(props, {}) }),
    payload: (props) => ({ type: 'interactive', interactive: message(props, { flow_message_version: '3' }) }),
  };
};

/** Every type of message but templates. */
export const messageRows: Row[] = [
  {
    ...same('text', 'TEXT', { body: '¿Sí? https://a.example 🏡', preview_url: true }),
    callback: true,
    request: ({ callbackUrl }) => ({
      type: 'TEXT',
      text: { body: '¿Sí? https://a.example 🏡', preview_url: true },
      callback_url: callbackUrl,
    }),
  },
  {
    title: 'text that quotes',
    request: ({ written }) => ({ type: 'TEXT', text: { body: 'Sí' }, context: { message_uuid: written.uuid } }),
    payload: ({ written }) => ({ type: 'text', text: { body: 'Sí' }, context: { message_id: written.wamid } }),
  },
  ...files.map(([type]): Row => {
    const name = type.toLowerCase();
    return {
      title: `${name} by url`,
      request: () => ({ type, media: { url: link, ...captions[type] } }),
      payload: () => ({ type: name, [name]: { link, ...captions[type] } }),
    };
  }),
  ...files.map(([type, , file]): Row => {
    const name = type.toLowerCase();
    return {
      title: `${name} by media_uuid`,
      request: ({ uploaded }) => ({ type, media: { media_uuid: uploaded(file), ...captions[type] } }),
      payload: ({ platformId }) => ({ type: name, [name]: { id: platformId(file), ...captions[type] } }),
    };
  }),
  same('location', 'LOCATION', place),
  same('contacts', 'CONTACTS', [card, { name: { formatted_name: 'Ben' } }]),
  ...['👍🏽', ''].map(
    (emoji): Row => ({
      title: emoji ? 'reaction' : 'reaction taken back',
      request: ({ written }) => ({ type: 'REACTION', reaction: { message_uuid: written.uuid, emoji } }),
      payload: ({ written }) => ({ type: 'reaction', reaction: { message_id: written.wamid, emoji } }),
    }),
  ),
  buttons('interactive button'),
  buttons('interactive button under text', {
    given: { type: 'text', text: 'Visit' },
    sent: { type: 'text', text: 'Visit' },
  }),
  buttons('interactive button under an image', mediaHeader('image')),
  buttons('interactive button under a video', mediaHeader('video')),
  buttons('interactive button under a document', mediaHeader('document', { filename: 'plan.pdf' })),
  interactive('interactive list', {
    type: 'list',
    header: { type: 'text', text: 'Times' },
    body,
    footer,
    action: {
      button: 'Choose',
      sections: [
        { title: 'Morning', rows: [{ id: '10', title: '10:00', description: 'with Ana' }] },
        { title: 'Evening', rows: [{ id: '18', title: '18:00' }] },
      ],
    },
  }),
  interactive('interactive cta_url', {
    type: 'cta_url',
    header: { type: 'image', image: { link } },
    body,
    footer,
    action: { name: 'cta_url', parameters: { display_text: 'Open', url: 'https://a.example/?q=1&r=%C3%A9' } },
  }),
  flow('interactive flow by id', ({ id }) => ({ flow_id: id }), {
    mode: 'published',
    flow_token: 'token-17',
    flow_action: 'navigate',
    flow_action_payload: { screen: 'FIRST', data: { name: 'Ana' } },
  }),
  flow('interactive flow by name', ({ name }) => ({ flow_name: name }), { flow_action: 'data_exchange' }),
  interactive('interactive location request', {
    type: 'location_request_message',
    body,
    action: { name: 'send_location' },
  }),
];
