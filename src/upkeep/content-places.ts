import { shownInSandbox } from '../carriers/sandbox/index.ts';
import { saidInEvents } from '../domains/timeline/index.ts';
import { recordingFile } from '../domains/voice/index.ts';
import type { Content } from '../platform/content/content.ts';
import type { FileName } from '../platform/files/files.ts';

/** A column with content that may be encrypted. `key`: the primary key of its table beside the account, with types. */
export interface ContentPlace {
  table: string;
  column: string;
  type: 'varchar' | 'json' | 'bytea';
  key: readonly (readonly [name: string, type: 'uuid' | 'bytea'])[];
  /** What is stored of a value, as whoever writes the column makes it. */
  stored(content: Content, accountId: string, value: never): string | Buffer;
}

/** Rows that name a file. */
export interface FilePlace {
  table: string;
  /** A column that is null where there is no file. */
  column: string;
  fileOf(accountId: string, row: { uuid: string; named: unknown }): FileName;
}

const byUuid = [['uuid', 'uuid']] as const;

/**
 * What a pass brings along when an account turns encryption on or off. Not here is what is gone within days by itself: inputs of jobs, files of
 * jobs, parts of SMS that wait for the others.
 */
export const contentPlaces: readonly ContentPlace[] = [
  {
    table: 'messages',
    column: 'message_data',
    type: 'json',
    key: byUuid,
    stored: (content, accountId, value) => content.json(accountId, JSON.stringify(value)),
  },
  {
    table: 'sms',
    column: 'text',
    type: 'varchar',
    key: byUuid,
    stored: (content, accountId, value) => content.text(accountId, value),
  },
  {
    table: 'events',
    column: 'data',
    type: 'json',
    key: byUuid,
    stored: (content, accountId, value) => content.fields(accountId, value, saidInEvents),
  },
  {
    table: 'webhook_deliveries',
    column: 'payload',
    type: 'varchar',
    key: byUuid,
    stored: (content, accountId, value) => content.text(accountId, value),
  },
  {
    table: 'inbound_payloads',
    column: 'body',
    type: 'bytea',
    key: [
      ['chatapp_account', 'uuid'],
      ['hash', 'bytea'],
    ],
    stored: (content, accountId, value) => content.bytes(accountId, value),
  },
  {
    table: 'sandbox_messages',
    column: 'content',
    type: 'json',
    key: [
      ['message', 'uuid'],
      ['id', 'uuid'],
    ],
    stored: (content, accountId, value) => content.fieldsBut(accountId, value, shownInSandbox),
  },
];

export const filePlaces: readonly FilePlace[] = [
  { table: 'media', column: 'path', fileOf: (_accountId, { named }) => named as FileName },
  { table: 'calls', column: 'recording_seconds', fileOf: (accountId, { uuid }) => recordingFile(accountId, uuid) },
];
