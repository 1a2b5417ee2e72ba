import { type Api, each, type Json, until } from './api.ts';
import { type Listing, listings, type Person, phoneThat } from './cast.ts';
import type { Channel } from './channel.ts';
import type { Story } from './story.ts';

/** Chat intros on listings, and the people who meet them: some only look, some write, some are introduced. */

/** How far somebody goes by themselves; the intro does the rest. */
type Step = 'look' | 'write' | 'meet';
const steps: Step[] = ['look', 'look', 'write', 'write', 'meet', 'meet', 'meet'];
/** How many come to a listing, measured by the average: some homes are wanted more than others. */
const shares = [1.75, 0.35, 1.5, 0.5, 1.25, 0.75];

export async function printLinks({ api, tell }: Story, channel: Channel): Promise<Json[]> {
  const intros = await each(
    listings,
    (listing, index) => api.post('/v2/chatapp/chat-intros/', introOf(listing, index, channel)),
    1,
  );
  tell(`Chat intros: ${intros.length} on listings, with replies of every type.`);
  return intros;
}

const weekSeconds = 7 * 86_400;

/** Runs before anything that has to stay open: the week that these sessions need to expire passes for everybody. */
export async function letSomeExpire({ api, parts: { forgotten } }: Story, intros: Json[]): Promise<void> {
  await each(forgotten, (person, index) => write(api, intros[index], listings[index]!, person));
  await api.post('/v2/sandbox/clock/', { advance_seconds: weekSeconds + 60 });
  await each(forgotten, ({ phone }, index) =>
    until('a session to expire', async () => (await findSession(api, intros[index].uuid, phone)).status === 'EXPIRED'),
  );
}

export async function meetPeople(story: Story, intros: Json[]): Promise<void> {
  const { api, scale, parts, chance, tell } = story;
  const waiting = [...parts.visitors];
  const visits = listings.flatMap((listing, place) => {
    const count = Math.max(1, Math.floor(scale.visitors * shares[place % shares.length]!));
    return waiting.splice(0, count).map((person, index) => ({
      intro: intros[place],
      listing,
      person,
      // At least one of them goes all the way.
      step: index === 0 ? ('meet' as const) : chance.of(steps),
    }));
  });
  await each(visits, ({ intro, listing, person, step }) => visit(api, intro, listing, person, step));
  await startSome(api, intros);
  const count = (step: Step) => visits.filter((visit) => visit.step === step).length;
  tell(
    `Visitors: ${visits.length}; ${count('look')} only looked, ${count('write')} wrote, ${count('meet')} were introduced.`,
  );
}

async function visit(api: Api, intro: Json, listing: Listing, person: Person, step: Step): Promise<void> {
  if (step === 'look') {
    await api.open(intro.chat_link, person.phone);
    return;
  }
  const session = await write(api, intro, listing, person);
  if (step !== 'meet' || session.status !== 'NOTIFIED') return;
  await api.open(session.intro_chat_link, listing.agent.phone);
  if (session.intro_chat_link_aparty) await api.open(session.intro_chat_link_aparty, person.phone);
}

/** Opens the link, sends the text that is there already, and waits until the intro has done what it does by itself. */
async function write(api: Api, intro: Json, listing: Listing, { name, phone }: Person): Promise<Json> {
  const text = new URL(await api.open(intro.chat_link, phone), 'http://phone.example').searchParams.get('text') ?? '';
  await api.post('/v2/sandbox/chatapp/messages/', { from: phone, to: listing.sender, name, text: { body: text } });
  const end = lastSteps[listing.reference] ?? 'NOTIFIED';
  return until(`the session of ${name}`, async () => {
    const session = await findSession(api, intro.uuid, phone);
    return session?.status === end && session;
  });
}

/** Where sessions stop that do not get as far as a notification. */
const lastSteps: Record<string, string> = { 'OV-2023': 'REPLIED', 'OV-3015': 'STARTED' };

async function findSession(api: Api, intro: string, phone: string): Promise<Json> {
  const digits = phone.replace(/\D/g, '');
  const { results } = await api.get(`/v2/chatapp/chat-intros/${intro}/sessions/?page_size=200`);
  return results.find(({ aparty_number }: Json) => aparty_number.replace(/\D/g, '') === digits);
}

/** A form on the website starts the chat, with the one intro that has a template for people who have not written. */
async function startSome(api: Api, intros: Json[]): Promise<void> {
  for (const which of [1, 2]) {
    await api.post(`/v2/chatapp/chat-intros/${intros[10].uuid}/start/`, {
      aparty_number: phoneThat(9001, which),
      aparty_name: which === 1 ? 'Robin Ashdown' : 'Alex Ashdown',
      variables: { Source: 'Contact form' },
    });
  }
}

const notify = (listing: Listing, delay = 0) => ({
  notify_type: 'CHATAPP',
  notify_to_phone_number: listing.agent.phone,
  notify_chatapp_template_name: 'new_lead',
  notify_chatapp_template_components: [
    {
      type: 'body',
      parameters: [
        { type: 'text', text: '{{APartyDataContactName}}' },
        { type: 'text', text: '{{PropertyName}}' },
      ],
    },
    { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: '{{intro_chat_shortcode}}' }] },
  ],
  notify_delay: delay,
});

function introOf(listing: Listing, index: number, channel: Channel): object {
  return {
    chatapp_number: listing.sender,
    reference_id: listing.reference,
    expected_message_template: 'Hello, I would like to know more about {{PropertyName}} ({{reference_id}})',
    intro_message_template:
      'Hello {{APartyDataContactName}}, {{AgentName}} of Orchard & Vale here about {{PropertyName}}.',
    extra_variable_data: { PropertyName: listing.name, PropertyPrice: listing.price, AgentName: listing.agent.name },
    meta_data: { branch: listing.agent.branch, agent: listing.agent.name, listing: listing.reference },
    ...replies(listing, channel)[index],
  };
}

const body = (text: string) => ({ text });
const thanks =
  'Thank you for asking about {{PropertyName}}, {{APartyDataContactName}}. {{AgentName}} will write to you shortly.';

/** One after the other, a listing each: every way to answer. */
const replies = (listing: Listing, { pictures, flow }: Channel): object[] => [
  { reply_message_template: thanks, ...notify(listing) },
  {
    reply_type: 'IMAGE',
    reply_message_file_url: pictures[1],
    reply_message_template: '{{PropertyName}} at {{PropertyPrice}}. {{AgentName}} will write to you.',
    ...notify(listing),
  },
  {
    reply_type: 'QUICK_REPLY',
    reply_data: {
      header: { type: 'text', text: '{{reference_id}}' },
      body: body('{{PropertyName}}: what would you like to do, {{APartyDataContactName}}?'),
      footer: { text: 'Orchard & Vale' },
      action: {
        buttons: [
          { type: 'reply', reply: { id: 'viewing', title: 'Book a viewing' } },
          { type: 'reply', reply: { id: 'call', title: 'Call me' } },
          { type: 'reply', reply: { id: 'plan', title: 'Floor plan' } },
        ],
      },
    },
    ...notify(listing),
  },
  {
    reply_type: 'FLOW',
    reply_data: {
      body: body('When would you like to see {{PropertyName}}?'),
      action: { name: 'flow', parameters: { flow_name: flow, flow_cta: 'Choose a time' } },
    },
    ...notify(listing),
  },
  { reply_message_template: thanks, ...notify(listing), bparty_expiry_link: true },
  {
    reply_type: 'LIST',
    reply_data: {
      body: body('{{AgentName}} can show you {{PropertyName}} at these times.'),
      action: {
        button: 'Choose a time',
        sections: [
          {
            title: 'This week',
            rows: [
              { id: 'thu-17', title: 'Thursday at 17:00' },
              { id: 'fri-09', title: 'Friday at 9:00' },
            ],
          },
          { title: 'Next week', rows: [{ id: 'mon-12', title: 'Monday at 12:00', description: 'Over lunch' }] },
        ],
      },
    },
    ...notify(listing),
  },
  {
    reply_type: 'CTA',
    reply_data: {
      header: { type: 'image', image: { link: pictures[0] } },
      body: body('All photographs of {{PropertyName}} are on our website.'),
      action: {
        name: 'cta_url',
        parameters: { display_text: 'See the home', url: 'https://orchardandvale.example/{{reference_id}}' },
      },
    },
    ...notify(listing),
  },
  // The agent is written to an hour later, so sessions wait as REPLIED.
  { reply_message_template: thanks, ...notify(listing, 3_600) },
  {
    reply_message_template: thanks,
    ...notify(listing),
    intro_bparty_number: listing.agent.phone,
    intro_message_aparty: 'Hello {{AgentName}}, I asked about {{PropertyName}}.',
  },
  {
    reply_message_template: thanks,
    reply_alt: {
      type: 'QUICK_REPLY',
      filter: { PropertyPrice: { gte: '400000' } },
      chatapp_components: {
        body: body('{{PropertyName}} qualifies for part exchange. Shall we value your home?'),
        action: {
          buttons: [
            { type: 'reply', title: 'Yes please' },
            { type: 'reply', title: 'No thanks' },
          ],
        },
      },
    },
    ...notify(listing),
  },
  {
    reply_message_template: thanks,
    aparty_notify_chatapp_template_name: 'viewing_confirmed',
    aparty_notify_chatapp_template_components: [
      {
        type: 'body',
        parameters: [
          { type: 'text', text: '{{APartyDataContactName}}' },
          { type: 'text', text: '{{PropertyName}}' },
          { type: 'text', text: 'Saturday at 11:00' },
        ],
      },
    ],
    ...notify(listing),
  },
  // Says nothing and tells nobody: sessions stay STARTED.
  {},
];
