import { type Static, Type } from 'typebox';
import { PageOf, Phone, Timestamp, Uuid } from '../../platform/http/models.ts';
import { nullable } from '../../platform/http/validation/index.ts';
import type { ChatappAccountRow } from './queries.ts';

const number = { chatapp_number: Phone('The number messages are sent from.') };
const settings = {
  name: Type.String({ maxLength: 200 }),
  language_code: nullable(
    Type.String({
      pattern: '^[a-z]{2,3}(_[A-Za-z0-9]{2,8})?$',
      'x-message': 'Enter a language code such as en_GB.',
      description: 'Of templates that do not say; null: that of the account.',
    }),
  ),
  messages_per_second: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    description: 'How fast messages leave, over all workers together.',
  }),
};
const Settings = Type.Object(settings);

export const ChatappAccountCreate = Type.Object(
  { ...number, ...Type.Partial(Settings).properties },
  { title: 'ChatappAccountCreate' },
);
export type ChatappAccountCreate = Static<typeof ChatappAccountCreate>;

export const ChatappAccountUpdate = Type.Partial(Settings, { title: 'ChatappAccountUpdate' });
export type ChatappAccountUpdate = Static<typeof ChatappAccountUpdate>;

export const ChatappAccountModel = Type.Object(
  {
    uuid: Uuid(),
    chatapp_number: Type.String(),
    carrier: Type.String({ description: 'The carrier that takes its messages.' }),
    ...settings,
    paused: Type.Boolean({ description: 'Messages are accepted and wait until it is resumed.' }),
    created: Timestamp(),
    modified: Timestamp(),
  },
  { title: 'ChatappAccount' },
);
export const ChatappAccountPage = PageOf(ChatappAccountModel, 'ChatappAccountPage');

export const presentChatappAccount = (row: ChatappAccountRow) => ({
  uuid: row.uuid,
  chatapp_number: row.chatapp_number,
  carrier: row.carrier,
  name: row.name,
  language_code: row.language_code,
  messages_per_second: row.messages_per_second,
  paused: row.paused,
  created: row.created,
  modified: row.modified,
});
