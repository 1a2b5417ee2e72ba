import { type Api, each, type Json, until } from './api.ts';
import { senders } from './cast.ts';
import { brick, clay, cream, house, pdf, slate } from './pictures.ts';
import type { Story } from './story.ts';

/** The chat app: three senders, files, templates, and a form. */
export interface Channel {
  /** Addresses of the pictures. */
  pictures: string[];
  brochure: { uuid: string; url: string };
  flow: string;
}

const viewingFlow = {
  version: '7.3',
  screens: [
    {
      id: 'VIEWING',
      title: 'Book a viewing',
      terminal: true,
      layout: {
        type: 'SingleColumnLayout',
        children: [
          { type: 'TextHeading', text: 'When would you like to come?' },
          { type: 'DatePicker', name: 'day', label: 'Day', required: true },
          {
            type: 'RadioButtonsGroup',
            name: 'time',
            label: 'Time of day',
            required: true,
            'data-source': [
              { id: 'morning', title: 'Morning' },
              { id: 'afternoon', title: 'Afternoon' },
              { id: 'evening', title: 'Evening' },
            ],
          },
          { type: 'TextInput', name: 'notes', label: 'Anything we should know?', required: false },
          {
            type: 'Footer',
            label: 'Send',
            'on-click-action': {
              name: 'complete',
              payload: { day: '$' + '{form.day}', time: '$' + '{form.time}', notes: '$' + '{form.notes}' },
            },
          },
        ],
      },
    },
  ],
};

const body = (text: string, ...examples: string[]) => ({
  type: 'BODY',
  text,
  ...(examples.length > 0 && { example: { body_text: [examples] } }),
});
const footer = { type: 'FOOTER', text: 'Orchard & Vale. Reply STOP to hear no more.' };
const title = (text: string) => ({ type: 'HEADER', format: 'TEXT', text });
const buttons = (...list: object[]) => ({ type: 'BUTTONS', buttons: list });
const quick = (text: string) => ({ type: 'QUICK_REPLY', text });
const link = (text: string, url: string, example: string) => ({ type: 'URL', text, url, example: [example] });

const templatesOf = (picture: string, brochure: string) => [
  {
    name: 'viewing_confirmed',
    category: 'UTILITY',
    components: [
      title('Your viewing'),
      body(
        'Hello {{1}}, your viewing of {{2}} is booked for {{3}}. See you there.',
        'Ana',
        '12 Mill Lane',
        'Friday at 10:00',
      ),
      { type: 'FOOTER', text: 'Orchard & Vale' },
      buttons(quick('I will be there'), quick('Another time')),
    ],
  },
  {
    name: 'new_lead',
    category: 'UTILITY',
    components: [
      body('Somebody new: {{1}} asks about {{2}}. Please write to them today.', 'Ana', '12 Mill Lane'),
      buttons(link('Open the chat', 'https://orchardandvale.example/l/{{1}}', 'https://orchardandvale.example/l/abc')),
    ],
  },
  {
    name: 'new_listing',
    category: 'MARKETING',
    components: [
      { type: 'HEADER', format: 'IMAGE', media_uuid: picture },
      body(
        'Hello {{1}}, this has just come in near {{2}}: three bedrooms, a garden, and no chain.',
        'Ana',
        'Islington',
      ),
      footer,
      buttons(
        link('See the photographs', 'https://orchardandvale.example/{{1}}', 'https://orchardandvale.example/OV-1041'),
        quick('Book a viewing'),
      ),
    ],
  },
  {
    name: 'open_house',
    category: 'MARKETING',
    components: [
      title('Open house on Saturday'),
      body(
        'Dear {{1}}, our doors in {{2}} are open from ten to two. Come and look around with us.',
        'Ana',
        'Islington',
      ),
      footer,
      buttons(quick('I will come'), quick('Not this time')),
    ],
  },
  {
    name: 'price_reduced',
    category: 'MARKETING',
    components: [
      { type: 'HEADER', format: 'IMAGE', media_uuid: picture },
      body('Good news, {{1}}: the price of a home that you looked at went down to {{2}} today.', 'Ana', '£795,000'),
      footer,
      buttons(link('See the home', 'https://orchardandvale.example/{{1}}', 'https://orchardandvale.example/OV-1041'), {
        type: 'PHONE_NUMBER',
        text: 'Call us',
        phone_number: '+442079460101',
      }),
    ],
  },
  {
    name: 'market_report',
    category: 'MARKETING',
    components: [
      { type: 'HEADER', format: 'DOCUMENT', media_uuid: brochure },
      body('Hello {{1}}, here is what homes in your street were sold for this quarter.', 'Ana'),
      footer,
    ],
  },
  {
    name: 'login_code',
    category: 'AUTHENTICATION',
    components: [
      { type: 'BODY', add_security_recommendation: true },
      { type: 'FOOTER', code_expiration_minutes: 10 },
      buttons({ type: 'OTP', otp_type: 'COPY_CODE' }),
    ],
  },
];

export async function openChannel({ api, tell }: Story): Promise<Channel> {
  await each(
    [
      { chatapp_number: senders.sales, name: 'Orchard & Vale Sales', messages_per_second: 200 },
      { chatapp_number: senders.lettings, name: 'Orchard & Vale Lettings', messages_per_second: 80 },
      { chatapp_number: senders.newHomes, name: 'Vale New Homes', messages_per_second: 20 },
    ],
    (sender) => api.post('/v2/chatapp/accounts/', { carrier: 'sandbox', language_code: 'en_GB', ...sender }),
  );
  const files = await uploadFiles(api);
  const pictures = files.filter(({ media_type }) => media_type === 'IMAGE');
  const brochure = files.at(-1)!;
  const templates = templatesOf(pictures[0]!.uuid, brochure.uuid);
  const wanted = Object.values(senders).flatMap((chatapp_number) =>
    templates.map((template) => ({ chatapp_number, language_code: 'en_GB', ...template })),
  );
  // All at once: the one to be refused has to wait its turn behind the others.
  const offer = await uploadOffer(api);
  const submitted = wanted.map((template) => api.post('/v2/chatapp/message-templates/', template));
  await submitRefused(api, offer);
  await Promise.all(submitted);
  const flow = await api.post('/v2/chatapp/flows/', {
    chatapp_number: senders.sales,
    name: 'Book a viewing',
    category: 'APPOINTMENT_BOOKING',
    definition: viewingFlow,
    status: 'PUBLISHED',
  });
  await api.post('/v2/chatapp/flows/', {
    chatapp_number: senders.lettings,
    name: 'Report a repair',
    category: 'CUSTOMER_SUPPORT',
  });
  await until('the review of the templates', async () => {
    const pending = await api.get('/v2/chatapp/message-templates/?status=PENDING');
    return pending.results.length === 0;
  });
  await until('the form', async () => (await api.get(`/v2/chatapp/flows/${flow.uuid}/`)).status === 'PUBLISHED');
  tell(`The chat app: 3 senders, ${wanted.length} templates and a rejected one, 2 flows, ${files.length} files.`);
  return { pictures: pictures.map(({ url }) => url), brochure, flow: flow.flow_name ?? flow.name };
}

const uploadFiles = (api: Api): Promise<Json[]> =>
  each(
    [
      { name: 'mill-lane.png', type: 'image/png', bytes: house(brick, slate) },
      { name: 'old-dairy.png', type: 'image/png', bytes: house(cream, clay) },
      { name: 'vale-orchard.png', type: 'image/png', bytes: house([214, 218, 222], slate) },
      { name: 'brochure.pdf', type: 'application/pdf', bytes: pdf('Orchard & Vale: autumn 2026') },
    ],
    (file) => api.upload('/v2/chatapp/template-media/', file, { name: file.name.replace(/\..*/, '') }),
    1,
  );

async function uploadOffer(api: Api): Promise<string> {
  const file = { name: 'offer.png', type: 'image/png', bytes: house(cream, slate) };
  return (await api.upload('/v2/chatapp/template-media/', file, { name: 'offer' })).uuid;
}

/**
 * The sandbox approves whatever it is handed. What can be refused is a template whose picture is gone before it is handed over, so
 * that is what happens to this one.
 */
async function submitRefused(api: Api, picture: string): Promise<void> {
  await api.post('/v2/chatapp/message-templates/', {
    chatapp_number: senders.sales,
    name: 'instant_offer',
    language_code: 'en_GB',
    category: 'MARKETING',
    components: [
      { type: 'HEADER', format: 'IMAGE', media_uuid: picture },
      body('Hello {{1}}, sell your home to us today and be paid within the hour.', 'Ana'),
    ],
  });
  await api.delete(`/v2/chatapp/template-media/${picture}/`);
}
