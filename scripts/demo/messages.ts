import { type Api, each, type Json, jobDone, until } from './api.ts';
import { listings, type Person, phoneThat, senders } from './cast.ts';
import type { Channel } from './channel.ts';
import type { Story } from './story.ts';

/** Conversations in the chat app, and messages that come to every end there is. */

const text = (parameter: string) => ({ type: 'text', text: parameter });
const viewing = (first: string, home: string, when: string) => ({
  type: 'TEMPLATE',
  template: {
    template_name: 'viewing_confirmed',
    components: [{ type: 'body', parameters: [text(first), text(home), text(when)] }],
  },
});
const newListing = (first: string, area: string, picture: string, reference: string) => ({
  type: 'TEMPLATE',
  template: {
    template_name: 'new_listing',
    components: [
      { type: 'header', parameters: [{ type: 'image', image: { url: picture } }] },
      { type: 'body', parameters: [text(first), text(area)] },
      { type: 'button', sub_type: 'url', index: 0, parameters: [text(reference)] },
    ],
  },
});
const says = (body: string) => ({ type: 'TEXT', text: { body } });

/** A line: what the person writes, or what the business answers. */
type Line = { person: object } | { office: object };
const person = (body: string): Line => ({ person: { text: { body } } });
const office = (body: string): Line => ({ office: says(body) });

const scripts = ({ pictures, brochure, flow }: Channel, { first }: Person): Line[][] => [
  [
    person('Hi, is the flat on Colebrooke Row still available?'),
    office('Hello, it is! Would you like to come and see it?'),
    person('Yes please. Friday morning would be ideal.'),
    { office: viewing(first, 'Flat 9, Colebrooke Row', 'Friday at 10:00') },
    { person: { button: { id: 'I will be there', title: 'I will be there' } } },
    office('Lovely. Ring the top bell, Dominic will let you in.'),
  ],
  [
    person('My boiler is making a noise again 😕 and there is a small leak underneath it'),
    office('Oh no. Could you send us a picture?'),
    { person: { media: { type: 'IMAGE', url: pictures[0], mime_type: 'image/png', caption: 'Here it is' } } },
    office('Thank you. An engineer can come tomorrow between 8 and 10.'),
    person('Perfect, thanks a lot'),
  ],
  [
    { office: newListing(first, 'Islington', pictures[0]!, 'OV-1041') },
    person('That looks lovely. What is the asking price?'),
    office('It is on at £845,000, and there is no chain.'),
    {
      office: {
        type: 'DOCUMENT',
        media: { media_uuid: brochure.uuid, filename: 'brochure.pdf', caption: 'All the details' },
      },
    },
    person('I am a cash buyer and would like to make an offer.'),
  ],
  [
    person('Where exactly is Vale Orchard?'),
    {
      office: {
        type: 'LOCATION',
        location: {
          latitude: 53.4167,
          longitude: -2.2333,
          name: 'Vale Orchard',
          address: 'Wilmslow Road, Didsbury M20',
        },
      },
    },
    { person: { location: { latitude: 53.4631, longitude: -2.2913, name: 'We are here now' } } },
    office('Twenty minutes by tram. The show home is open until five.'),
  ],
  [
    person('Could somebody value our house?'),
    {
      office: {
        type: 'INTERACTIVE',
        interactive: {
          type: 'flow',
          body: { text: 'Gladly. When may Elena come?' },
          action: { name: 'flow', parameters: { flow_name: flow, flow_cta: 'Choose a time' } },
        },
      },
    },
    { person: { flow: { answers: { day: '2026-11-20', time: 'morning', notes: 'The bell does not work' } } } },
    office('Thank you, it is in her diary.'),
  ],
  [
    person('Which two-bedroom flats do you have to rent?'),
    {
      office: {
        type: 'INTERACTIVE',
        interactive: {
          type: 'list',
          header: { type: 'text', text: 'Two bedrooms' },
          body: { text: 'These three are free from December.' },
          footer: { text: 'Orchard & Vale Lettings' },
          action: {
            button: 'See them',
            sections: [
              {
                title: 'To rent',
                rows: listings.slice(4, 7).map(({ reference, name, price }) => ({
                  id: reference,
                  title: name.slice(0, 24),
                  description: price,
                })),
              },
            ],
          },
        },
      },
    },
    { person: { list: { id: 'OV-2007', title: 'Garden flat' } } },
    { office: { type: 'IMAGE', media: { url: pictures[2], caption: 'The garden flat from the street' } } },
    person('When can I move in?'),
  ],
  [
    person('I am not happy. I have been waiting for my deposit for six weeks and want to make a complaint.'),
    office('We are sorry to hear that. Dominic, who manages the branch, will ring you today.'),
    {
      office: {
        type: 'CONTACTS',
        contacts: [
          {
            name: { formatted_name: 'Dominic Achebe', first_name: 'Dominic' },
            org: { company: 'Orchard & Vale' },
            phones: [{ phone: '+44 7700 900204', type: 'WORK' }],
          },
        ],
      },
    },
    person('Thank you.'),
  ],
  [
    {
      office: {
        type: 'INTERACTIVE',
        interactive: {
          type: 'button',
          body: { text: 'How was your viewing?' },
          action: {
            buttons: [
              { type: 'reply', reply: { id: 'good', title: 'Very good' } },
              { type: 'reply', reply: { id: 'not-for-me', title: 'Not for me' } },
            ],
          },
        },
      },
    },
    { person: { button: { id: 'good', title: 'Very good' } } },
    {
      office: {
        type: 'INTERACTIVE',
        interactive: {
          type: 'cta_url',
          body: { text: 'Wonderful. Make your offer on our website.' },
          action: {
            name: 'cta_url',
            parameters: { display_text: 'Make an offer', url: 'https://orchardandvale.example/offer' },
          },
        },
      },
    },
  ],
];

export async function talk(story: Story, channel: Channel): Promise<void> {
  const { api, parts, tell } = story;
  const from = parts.talkers;
  const own = Object.values(senders);
  const [sent, waiting] = await Promise.all([
    sendToOddPhones(api, story.scale.contacts >= 1_000 ? 3 : 1),
    schedule(api),
  ]);
  // Last, so that the newest conversations are those in which something is said.
  const lengths = await each(from, async (who, index) => {
    const all = scripts(channel, who);
    const script = all[index % all.length]!;
    // Flows belong to a sender; the others are spread over all three.
    const sender = index % all.length === 4 ? senders.sales : own[index % own.length]!;
    await converse(api, sender, who, script);
    return script.length;
  });
  await leads(story);
  tell(
    `Messages: ${lengths.reduce((sum, length) => sum + length, 0)} in ${from.length} conversations, ${sent} that fail or answer by themselves, ${waiting} planned.`,
  );
}

async function converse(api: Api, sender: string, { name, phone }: Person, script: Line[]): Promise<void> {
  for (const line of script) {
    if ('office' in line) {
      const { uuid } = await api.post('/v2/chatapp/messages/', {
        chatapp_number: sender,
        to_chatapp_number: phone,
        meta_data: { conversation: 'front desk' },
        ...line.office,
      });
      await until(
        `a message to ${name}`,
        async () => (await api.get(`/v2/chatapp/messages/${uuid}/`)).status !== 'QUEUED',
      );
    } else {
      await api.post('/v2/sandbox/chatapp/messages/', { from: phone, to: sender, name, ...line.person });
    }
  }
}

/** Refused, unread, late, twice, out of order, lost: what the sandbox can do with a message. */
const endings = [
  9000, 9001, 9002, 9010, 9011, 9012, 9013, 9014, 9020, 9021, 9022, 9030, 9031, 9034, 9035, 9041, 9042, 9043, 9044,
];

async function sendToOddPhones(api: Api, times: number): Promise<number> {
  const messages = endings.flatMap((ending) =>
    Array.from({ length: times }, (_, which) => ({
      chatapp_number: Object.values(senders)[which % 3]!,
      to_chatapp_number: phoneThat(ending),
      meta_data: { reminder: which + 1 },
      ...viewing('there', listings[which]!.name, 'Thursday at 16:30'),
    })),
  );
  const job = await api.post('/v3/jobs/', { type: 'messages.send', input: { messages } });
  await jobDone(api, job.id);
  // The last to answer is who reacts with a thumb.
  await until('the answers', async () => (await api.get('/v2/chatapp/messages/?type=REACTION')).results.length > 0);
  return messages.length;
}

/** One that waits for its time, and one that was taken back. The time is the sandbox's, which may be ahead. */
async function schedule(api: Api): Promise<number> {
  const { now } = await api.post('/v2/sandbox/clock/', { advance_seconds: 0 });
  const send_at = new Date(Date.parse(now) + 2 * 86_400_000).toISOString();
  const planned: Json[] = await each(listings.slice(0, 4), ({ name, agent }, index) =>
    api.post('/v2/chatapp/messages/', {
      chatapp_number: senders.sales,
      to_chatapp_number: phoneThat(9000, index),
      send_at,
      ...viewing(agent.first, name, 'Wednesday at 11:00'),
    }),
  );
  await api.post(`/v2/chatapp/messages/${planned[0].uuid}/cancel/`);
  return planned.length;
}

async function leads({ api, parts }: Story): Promise<void> {
  const sources = ['Website form', 'Portal', 'Open house', 'Instagram'];
  await each(parts.leads, ({ name, phone }, index) => {
    const { reference, sender } = listings[index % listings.length]!;
    return api.post('/v2/chatapp/leads/', {
      chatapp_number: sender,
      phone_number: phone,
      name,
      source: sources[index % sources.length],
      data: { listing: reference, budget: String(400_000 + index * 25_000), bedrooms: String(1 + (index % 4)) },
    });
  });
}
