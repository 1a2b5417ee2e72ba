import { type Static, Type } from 'typebox';
import { PageOf, Phone, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
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
const id = (description: string) =>
  Type.String({ pattern: '^\\d{1,32}$', 'x-message': 'Enter an id made of digits.', description });
const ids = {
  phone_number_id: id("The platform's id of the number."),
  business_account_id: id("The platform's id of the business account that has its templates and flows."),
  app_id: id('The app that acts for it; needed to upload samples for templates.'),
};
const secret = (description: string) =>
  Type.String({ minLength: 1, maxLength: 4096, description: `${description} Stored encrypted, never shown.` });
const secrets = {
  access_token: secret('What calls to the platform are made with.'),
  app_secret: secret("Signs the platform's webhooks."),
  verify_token: secret('What the platform shows when it checks the webhook address; any text you choose.'),
};

export const idNames = Object.keys(ids) as (keyof typeof ids)[];
export const secretNames = Object.keys(secrets) as (keyof typeof secrets)[];

const changeable = Type.Partial(Type.Object({ ...settings, ...ids, ...secrets })).properties;

const carrier = {
  carrier: Type.Optional(
    Type.Enum(['sandbox', 'cloud-api'], {
      description: 'Who takes its messages. `cloud-api` needs the ids and secrets.',
    }),
  ),
};

export const ChatappAccountCreate = Type.Object(
  {
    ...number,
    ...carrier,
    ...changeable,
  },
  { title: 'ChatappAccountCreate' },
);
export type ChatappAccountCreate = Static<typeof ChatappAccountCreate>;

export const ChatappAccountUpdate = Type.Object(
  { ...carrier, ...changeable },
  {
    title: 'ChatappAccountUpdate',
    description:
      'Ids and secrets that are left out stay as they are. With another `carrier` it keeps its uuid, intros, templates and history; ' +
      '`cloud-api` then needs all ids and secrets.',
  },
);
export type ChatappAccountUpdate = Static<typeof ChatappAccountUpdate>;

export const ChatappAccountModel = Type.Object(
  {
    uuid: Uuid(),
    chatapp_number: Type.String(),
    carrier: Type.String({ description: 'The carrier that takes its messages.' }),
    ...settings,
    phone_number_id: nullable(Type.String()),
    business_account_id: nullable(Type.String()),
    app_id: nullable(Type.String()),
    webhook_path: nullable(Type.String({ description: 'Where the platform is to send its webhooks, on this server.' })),
    quality: Type.String({ description: 'How good the platform finds the number: GREEN, YELLOW, RED or UNKNOWN.' }),
    adopted: Type.Boolean({
      description:
        'Nobody registered it: it was taken into use on the sandbox by its first message. Register it to make it live.',
    }),
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
  phone_number_id: row.phone_number_id,
  business_account_id: row.business_account_id,
  app_id: row.app_id,
  webhook_path: row.secrets === null ? null : `/carriers/${row.carrier}/${row.uuid}/webhook`,
  quality: row.quality,
  adopted: row.adopted,
  paused: row.paused,
  created: row.created,
  modified: row.modified,
});
