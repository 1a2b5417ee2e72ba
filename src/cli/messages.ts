import { randomUUID } from 'node:crypto';
import type { Api } from './api.ts';
import { Complaint } from './terminal.ts';

interface Output {
  json?: boolean;
}

/** What a chat-app message and an SMS have in common here. */
interface Shown {
  uuid: string;
  status: string;
  status_description?: string;
  direction?: string;
  from: string;
  to: string;
  created: string;
}

interface Kind {
  list: string;
  one(uuid: string): string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the operation's
  shown(row: any): Shown;
}

const chat: Kind = {
  list: '/v2/chatapp/messages/',
  one: (uuid) => `/v2/chatapp/messages/${encodeURIComponent(uuid)}/`,
  shown: (row) => ({ ...row, from: row.from_chatapp_number, to: row.to_chatapp_number }),
};
const sms: Kind = {
  list: '/v2/sms-records/',
  one: (uuid) => `/v2/send-sms/${encodeURIComponent(uuid)}/`,
  shown: (row) => row,
};

export interface ListOptions extends Output {
  sms?: boolean;
  status?: string;
  to?: string;
  count: number;
}

/** The newest messages first. */
export async function listMessages(api: Api, { sms: isSms, status, to, count, json }: ListOptions): Promise<void> {
  const kind = isSms ? sms : chat;
  const query = new URLSearchParams({ page_size: String(Math.min(count, 200)) });
  if (status) query.set('status', status.toUpperCase());
  if (to) query.set('to', to);
  const rows: unknown[] = [];
  let path: string | null = `${kind.list}?${query}`;
  while (path && rows.length < count) {
    const page: { next: string | null; results: unknown[] } = await api.call('GET', path, undefined, {
      repeatable: true,
    });
    rows.push(...page.results);
    path = page.next && new URL(page.next).pathname + new URL(page.next).search;
  }
  const wanted = rows.slice(0, count);
  if (json) return console.log(JSON.stringify(wanted));
  for (const row of wanted) {
    const { uuid, status, from, to, created } = kind.shown(row);
    console.log(`${uuid}  ${created.slice(0, 19)}Z  ${status.padEnd(10)}  ${from} → ${to}`);
  }
}

export async function showMessage(
  api: Api,
  uuid: string,
  { sms: isSms, json }: Output & { sms?: boolean },
): Promise<void> {
  const row = await api.call('GET', (isSms ? sms : chat).one(uuid), undefined, { repeatable: true });
  console.log(json ? JSON.stringify(row) : JSON.stringify(row, null, 2));
}

interface Step {
  status: string;
  status_description: string;
  applied?: boolean;
  created: string;
}
interface TimelineEvent {
  kind: string;
  data: Record<string, unknown>;
  at: string;
}

/** The whole story of a message: its steps in order, what else happened to it, and what its state means. */
export async function explainMessage(
  api: Api,
  uuid: string,
  { sms: isSms, json }: Output & { sms?: boolean },
): Promise<void> {
  const kind = isSms ? sms : chat;
  const get = (path: string) => api.call('GET', path, undefined, { repeatable: true });
  const row = await get(kind.one(uuid));
  const steps: { results: Step[] } = await get(`${kind.one(uuid)}status-logs/?page_size=200&ordering=created`);
  const events: { results: TimelineEvent[] } = await get(
    `/v2/events/?subject=${encodeURIComponent(uuid)}&page_size=200&ordering=created`,
  );
  const message = kind.shown(row);
  const meaning = meaningOf(message);
  if (json) {
    console.log(JSON.stringify({ message: row, meaning, steps: steps.results, events: events.results }));
    return;
  }
  console.log(`${message.uuid}: ${message.from} → ${message.to}, ${message.status}\n${meaning}\n`);
  for (const { created, status, status_description, applied } of steps.results) {
    const note = applied === false ? ' (came late or twice, and changed nothing)' : '';
    console.log(`${created}  ${status.padEnd(10)} ${status_description}${note}`.trimEnd());
  }
  if (events.results.length > 0) console.log('');
  for (const { at, kind, data } of events.results) console.log(`${at}  ${kind}  ${JSON.stringify(data)}`);
}

const meanings: Record<string, string> = {
  QUEUED: 'It is stored, and waits for its turn: the rate of the sender, its quiet hours, or its schedule.',
  SENT: 'The carrier took it, or may have: no receipt of its arrival has come yet.',
  DELIVERED: "It arrived on the recipient's phone.",
  READ: 'The recipient has opened it.',
  FAILED: 'It was not delivered, and is not tried again.',
  CANCELLED: 'It was cancelled before it left.',
  RECEIVED: 'It came in.',
};

function meaningOf({ status, status_description }: Shown): string {
  const meaning = meanings[status] ?? '';
  return status_description ? `${meaning} ${status_description}`.trim() : meaning;
}

export interface SendOptions {
  from: string;
  to: string;
  sms?: boolean;
  template?: string;
  language?: string;
  param?: string[];
  json?: boolean;
}

/** Sends a chat-app message or an SMS. The key makes it one message, however often the way to the server breaks. */
export async function send(api: Api, words: string[], options: SendOptions): Promise<void> {
  const text = words.join(' ');
  const headers = { 'idempotency-key': randomUUID() };
  const [path, body] = options.sms
    ? ['/v2/send-sms/', smsOf(text, options)]
    : ['/v2/chatapp/messages/', chatOf(text, options)];
  const message = await api.call('POST', path, body, { repeatable: true, headers });
  console.log(options.json ? JSON.stringify(message) : `${message.uuid} is ${message.status}.`);
}

function smsOf(text: string, { from, to, template }: SendOptions): object {
  if (template !== undefined) throw new Complaint('An SMS has no template.', 2);
  if (text === '') throw new Complaint('Give a text.', 2);
  return { from, to, text };
}

const chatOf = (text: string, options: SendOptions): object => ({
  chatapp_number: options.from,
  to_chatapp_number: options.to,
  ...contentOf(text, options),
});

function contentOf(text: string, { template, language, param = [] }: SendOptions): object {
  if (template === undefined && text === '') throw new Complaint('Give a text, or a template with --template.', 2);
  if (template === undefined) return { type: 'TEXT', text: { body: text } };
  if (text !== '') throw new Complaint('A template has its own text: give one or the other.', 2);
  const parameters = param.map((value) => ({ type: 'text', text: value }));
  return {
    type: 'TEMPLATE',
    template: {
      template_name: template,
      ...(language && { language_code: language }),
      ...(parameters.length > 0 && { components: [{ type: 'body', parameters }] }),
    },
  };
}
