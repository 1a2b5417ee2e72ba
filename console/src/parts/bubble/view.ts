import { type Fields, inside, textOf } from '../../api/fields.ts';
import { urlOf } from '../../api/index.ts';

export type FileKind = 'image' | 'video' | 'audio' | 'document' | 'sticker';

/** A file in a bubble. `src` is there if this server has it; other servers are asked nothing. */
export interface FileView {
  kind: FileKind;
  name: string;
  src?: string | undefined;
  /** Where it is, if not here. */
  elsewhere?: string | undefined;
}

export interface Tap {
  kind: 'reply' | 'url' | 'phone' | 'code' | 'flow' | 'location' | 'list';
  text: string;
  /** Where it leads, in words; shown on hover. */
  to?: string;
}

/** What a bubble shows, whatever kind of message it is. Gaps without a value stand in texts as `{{name}}`. */
export interface View {
  /** Small print above all: what cannot be shown as it is. */
  note?: string | undefined;
  title?: string | undefined;
  file?: FileView | undefined;
  text?: string | undefined;
  /** The text has no marks, as that of an SMS. */
  plain?: boolean | undefined;
  footer?: string | undefined;
  taps?: Tap[];
  list?: { title: string; rows: { title: string; description: string }[] }[];
  place?: { name: string; address: string; latitude: number; longitude: number } | undefined;
  people?: { name: string; lines: string[] }[];
  /** Questions and answers of a flow. */
  answers?: [string, string][];
  cards?: View[];
  /** An emoji on another message. */
  reaction?: { emoji: string; to: string } | undefined;
}

const ownFile = /\/v2\/chatapp\/(messages|template-media)\/([0-9a-f-]{36})\/(?:media|content)\/$/i;

/** An address as this page may load it: a file of this server, by whatever name the server is reached. */
function sourceOf(url: string): string | undefined {
  const [, room, uuid = ''] = ownFile.exec(url) ?? [];
  if (room === 'messages') return urlOf('/v2/chatapp/messages/{uuid}/media/', { uuid });
  return room ? urlOf('/v2/chatapp/template-media/{uuid}/content/', { uuid }) : undefined;
}

/** `{media_uuid}`, `{url}`, `{link}` or `{id}`, as messages and templates name files. */
export function fileOf(kind: FileKind, given: unknown): FileView {
  const file: Fields = inside(given);
  const uuid = textOf(file['media_uuid']);
  const url = textOf(file['url']) || textOf(file['link']);
  const src = uuid ? urlOf('/v2/chatapp/template-media/{uuid}/content/', { uuid }) : sourceOf(url);
  return { kind, name: textOf(file['filename']), src, elsewhere: src ? undefined : url };
}

export const fileKindOf = (word: string): FileKind | undefined =>
  (['image', 'video', 'audio', 'document', 'sticker'] as const).find((kind) => kind === word.toLowerCase());
