import { randomUUID } from 'node:crypto';
import type { Api } from './api.ts';
import { Complaint } from './complaint.ts';

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
