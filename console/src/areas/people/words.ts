import type { Schema } from '../../api/index.ts';

type Row = Record<string, unknown>;

export interface KnownKind {
  name: keyof Schema<'KnownPerson'>['counts'];
  label: string;
  /** The page of one, if there is any. */
  href?(row: Row): string;
  say(row: Row): string;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const said = (...words: unknown[]): string => words.map(text).filter(Boolean).join(' · ');
const bodyOf = (data: unknown): string => text((data as { text?: { body?: unknown } } | null)?.text?.body);
const callSays = (row: Row): string =>
  said(row['direction'], row['result'] ?? row['status'], row['from_number'], row['to_number']);

/** What is known of people, in the order in which it is shown. */
export const kinds: KnownKind[] = [
  {
    name: 'contacts',
    label: 'Contacts',
    href: ({ uuid }) => `/contacts/${uuid}`,
    say: (row) => said(row['name'], row['phone_number']),
  },
  {
    name: 'opt_outs',
    label: 'Opt-outs',
    href: ({ uuid }) => `/opt-outs/${uuid}`,
    say: (row) => said(row['channel'], row['source'], row['text']),
  },
  { name: 'conversations', label: 'Conversations', say: (row) => said(row['name'], row['number']) },
  {
    name: 'messages',
    label: 'Messages',
    href: ({ uuid }) => `/messages/${uuid}`,
    say: (row) => said(row['direction'], row['type'], row['status'], bodyOf(row['message_data'])),
  },
  {
    name: 'sms',
    label: 'SMS',
    href: ({ uuid }) => `/sms/${uuid}`,
    say: (row) => said(row['direction'], row['status'], row['text']),
  },
  { name: 'calls', label: 'Calls', href: ({ uuid }) => `/calls/${uuid}`, say: callSays },
  { name: 'recordings', label: 'Recordings', href: ({ uuid }) => `/calls/${uuid}`, say: callSays },
  { name: 'voicemails', label: 'Voicemails', href: ({ uuid }) => `/calls/${uuid}`, say: callSays },
  {
    name: 'sessions',
    label: 'Sessions of intros',
    href: ({ uuid, chat_intro }) => `/intros/${chat_intro}/sessions/${uuid}`,
    say: (row) => said(row['aparty_name'], row['status']),
  },
  {
    name: 'leads',
    label: 'Leads',
    href: ({ phone_number }) => `/leads/${encodeURIComponent(text(phone_number))}`,
    say: (row) => said(row['name'], row['status'], row['source']),
  },
  {
    name: 'campaigns',
    label: 'Campaigns',
    say: (row) => said(row['state'], row['reason']),
  },
];
