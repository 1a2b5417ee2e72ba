import type { Schema } from '../../api/index.ts';

type Channel = Schema<'OptOutChannel'>;

export const channels: { value: Channel; label: string }[] = [
  { value: 'ALL', label: 'Everything' },
  { value: 'CHATAPP', label: 'Chat messages' },
  { value: 'SMS', label: 'SMS' },
  { value: 'VOICE', label: 'Calls' },
];

/** Within a sentence: `Opted out of chat messages`. */
export const sayChannel = (channel: string): string =>
  channel === 'SMS' ? 'SMS' : (channels.find(({ value }) => value === channel)?.label.toLowerCase() ?? channel);

const sources: Record<string, string> = {
  API: 'through the API or the console',
  CSV: 'by an uploaded file',
  KEYWORD: 'by writing a keyword',
  PLATFORM: 'told by the platform',
};

export const saySource = (source: string): string =>
  sources[source] ?? `by ${source.toLowerCase().replaceAll('_', ' ')}`;

export const nameOfChannel = (channel: string): string =>
  channels.find(({ value }) => value === channel)?.label ?? channel;

/** The same by itself, as in a table. */
export const nameOfSource = (source: string): string => {
  const words = saySource(source);
  return words.charAt(0).toUpperCase() + words.slice(1);
};
