import { readFileSync } from 'node:fs';
import { campaignsFields, channelsFields } from './api-fields/channels.ts';
import { commonFields } from './api-fields/common.ts';
import { jobsFields, systemFields } from './api-fields/system.ts';

/**
 * What fields of the API mean that are not described where they are declared: by name, or by model and name (`Message.type`) where a
 * name means something else there. A description at the field itself always counts.
 */
export const fieldDescriptions: Readonly<Record<string, string>> = {
  ...commonFields,
  ...channelsFields,
  ...campaignsFields,
  ...jobsFields,
  ...systemFields,
};

/** What the groups of operations are about, as the OpenAPI document shows it. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Account: 'Your account, its users, tokens, sessions, audit log and ledger.',
  'Single sign-on': 'Identity providers (OpenID Connect), and signing in by them.',
  Tenants: 'Further accounts on this server, for whoever runs it.',
  'Network status': 'Whether links, trunks and senders are up, how much they carry and what went wrong last.',
  Events: 'The timeline: every step of every message, call, intro and job, as a list and as a stream.',
  Numbers: 'Phone numbers: find, buy, configure and release them; what is known of a number and its traffic.',
  Logs: 'What happened to a number, call by call and SMS by SMS.',
  Webhooks: 'Addresses that events are POSTed to, their deliveries, and the events themselves.',
  'Chat-app accounts': 'WhatsApp Business numbers that you send from, and their connection to the platform.',
  'Message templates': 'Templates that the platform must approve before they can start a conversation.',
  'Chat-app messages': 'WhatsApp messages: send, list and read them, with every status on the way; conversations.',
  Flows: 'Forms that people fill in inside the chat app.',
  Media: 'Files for messages and templates.',
  'Chat intros':
    'Links that introduce a person to an agent in a chat app: reply, notification, sessions, logs and funnel.',
  Leads: 'People who made contact through an intro or were submitted by you, and what became of them.',
  Contacts: 'People you write to: their data, import and export.',
  Lists: 'Lists of contacts, the audiences of campaigns.',
  'Opt-outs': 'Who does not want to hear from you, on which channel, and how that came about.',
  Safeguards: 'Limits on where and how much the account sends and calls, and what they refused.',
  SMS: 'Text messages: send one or many, list them, follow their status; sender names.',
  'SMS links': 'Connections to SMS centres over SMPP.',
  Voice: 'Calls, call records, recordings, and SIP trunks.',
  Jobs: 'Work that takes longer than a request: imports, exports, bulk sending. Progress, results and files.',
  People: 'Everything that is stored about one person, to be shown or erased.',
  Campaigns: 'One message to many people: audience, launches, counts, results.',
  Agents: 'People who take calls and messages, with their skills and hours.',
  'Audio files': 'Sounds for calls: greetings, whispers, voicemail prompts.',
  Routing: 'Rules that decide where calls and messages to your numbers go, and explanations of what they would do.',
  Reports: 'Figures of any span of days, grouped and compared.',
  Insights: 'Figures over time, and notices of missed calls, slow replies and keywords.',
  Sandbox: 'The other side of every channel, to try things with: phones, people, carriers, faults and time.',
  System: 'Health, readiness and metrics, for whoever runs the server.',
};

/**
 * Real answers, as examples for the OpenAPI document: by the id of the operation and the status. `npm run examples` records them from
 * the test that tries every operation.
 */
export const readAnswers = (): Record<string, Record<string, unknown>> =>
  JSON.parse(readFileSync(new URL('./api-answers.json', import.meta.url), 'utf8'));
