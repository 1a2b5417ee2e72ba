import { week } from './account.ts';
import { each, type Json } from './api.ts';
import type { Audience } from './audience.ts';
import { type Agent, agents, senders } from './cast.ts';
import type { Lines } from './numbers.ts';
import type { Story } from './story.ts';

/** The people who take calls and chats, and how it is decided who does. */
export async function hireTeam({ api, tell }: Story): Promise<Record<string, string>> {
  const everyDay = {
    ...week,
    saturday: [{ start: '09:00', end: '17:00' }],
    sunday: [{ start: '10:00', end: '16:00' }],
  };
  const hours: Record<string, object | null> = {
    Ada: everyDay,
    Bashir: week,
    Carys: everyDay,
    Dominic: null,
    Elena: week,
  };
  const made: Json[] = await each(
    agents,
    ({ name, first, phone, skills }: Agent) =>
      api.post('/v2/agent-configs/', {
        name,
        numbers: [phone],
        time_zone: 'Europe/London',
        working_hours: hours[first],
        holidays: ['2026-12-25', '2026-12-26', '2027-01-01'],
        skills,
        ...(first === 'Elena' && { away: true, numbers: [phone, 'sip:elena@orchardandvale.example'] }),
      }),
    1,
  );
  const ids = Object.fromEntries(made.map(({ uuid }, index) => [agents[index]!.first, uuid as string]));
  await api.patch(`/v2/agent-configs/${ids['Elena']}/`, { fallback: ids['Dominic'] });
  await api.patch(`/v2/agent-configs/${ids['Bashir']}/`, { fallback: ids['Dominic'] });
  tell(`The team: ${agents.length} agents with working hours, skills and somebody to stand in.`);
  return ids;
}

export async function drawRoutes(story: Story, ids: Record<string, string>, lines: Lines, { lists }: Audience) {
  const { api, tell } = story;
  const configs = [
    {
      name: 'Sales line',
      channel: 'VOICE',
      numbers: [lines.sales],
      routes: [
        { name: 'Known nuisance', conditions: { caller_prefixes: ['+4477009009'] }, destination: { type: 'HANGUP' } },
        {
          name: 'Landlords first',
          conditions: { caller_lists: [lists.landlords] },
          destination: { type: 'AGENT', agent: ids['Dominic'] },
        },
        {
          name: 'Lettings (1)',
          conditions: { digits: ['1'] },
          destination: { type: 'AGENT', skill: 'lettings', strategy: 'ROUND_ROBIN' },
        },
        {
          name: 'Office hours',
          conditions: { time_zone: 'Europe/London', time_windows: [{ start: '08:00', end: '20:00' }] },
          destination: { type: 'AGENT', skill: 'sales', strategy: 'LEAST_RECENT' },
        },
        {
          name: 'On call',
          destination: { type: 'NUMBER', numbers: [agents[3].phone, agents[0].phone], ring_seconds: 20 },
        },
      ],
      fallback: { type: 'VOICEMAIL' },
    },
    {
      name: 'Texts',
      channel: 'SMS',
      numbers: [],
      routes: [
        {
          name: 'Repairs',
          conditions: { keywords: ['boiler', 'leak', 'mould'] },
          destination: { type: 'AGENT', skill: 'lettings', strategy: 'ROUND_ROBIN' },
        },
        {
          name: 'Viewings to the chat',
          conditions: { keywords: ['viewing', 'view'] },
          destination: {
            type: 'CHATAPP',
            chatapp_number: senders.sales,
            agent: ids['Elena'],
            text: 'By SMS from {{from}}: {{text}}',
          },
        },
        {
          name: 'Half to Carys',
          group: 'rest',
          weight: 1,
          conditions: { agent_available: { skill: 'sales' } },
          destination: { type: 'AGENT', agent: ids['Carys'] },
        },
        { name: 'Half to Dominic', group: 'rest', weight: 1, destination: { type: 'AGENT', agent: ids['Dominic'] } },
      ],
    },
    {
      name: 'Chats without an intro',
      channel: 'CHATAPP',
      numbers: [senders.lettings, senders.sales],
      routes: [
        {
          name: 'Complaints',
          conditions: { keywords: ['complaint', 'refund', 'not happy'] },
          destination: { type: 'AGENT', agent: ids['Dominic'] },
        },
        {
          name: 'From abroad',
          conditions: { caller_countries: ['PL', 'DE', 'FR'] },
          destination: { type: 'AGENT', agent: ids['Elena'] },
        },
        {
          name: 'Repairs',
          conditions: { keywords: ['boiler', 'leak', 'mould'] },
          destination: { type: 'AGENT', skill: 'lettings', strategy: 'LEAST_RECENT' },
        },
        // Everything else is answered in the console.
      ],
    },
  ];
  await each(configs, (config) => api.post('/v2/routing-configs/', config), 1);
  tell('Routing: a config for calls, one for SMS, one for chats.');
}
