import { type Static, type TObject, type TProperties, type TSchema, type TUnsafe, Type } from 'typebox';
import { CountryCode, PageOf, Phone, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { exactlyOne, nullable, tagged } from '../../platform/http/validation/index.ts';
import { HoursWindow } from '../../platform/time/week-hours.ts';
import { SipUri, Skill, Strategy } from '../agents/index.ts';
import type { ConfigRow } from './queries.ts';

export const channels = ['VOICE', 'SMS', 'CHATAPP'] as const;
export const Channel = Type.Enum([...channels], { title: 'RoutingChannel' });
export type Channel = (typeof channels)[number];

const some = <T extends TSchema>(item: T, most: number, description: string) =>
  Type.Optional(Type.Array(item, { minItems: 1, maxItems: most, uniqueItems: true, description }));

/** Up to fifteen digits among marks that people write between them, after `00` or not; zeros alone begin no number. */
const Prefix = Type.String({
  maxLength: 64,
  pattern: '^(?=.*[1-9])[+\\s.()[\\]-]*(?:00[\\s.()[\\]-]*)?(?:[0-9][\\s.()[\\]-]*){1,15}$',
  'x-message': 'Enter the first digits of a number, with the country.',
  examples: ['+44 20'],
});
export const dayNames = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;

/** One agent, or anybody with a skill. */
const wantedFields = {
  agent: Type.Optional(Uuid('One agent.')),
  skill: Type.Optional({ ...Skill, description: 'Anybody with this skill.' }),
};
const oneWanted = <P extends TProperties>(fields: P) =>
  exactlyOne(['agent', 'skill'], Type.Object(fields)) as TUnsafe<Static<TObject<P>>>;

export const RouteConditions = Type.Object(
  {
    dialled_numbers: some(Phone(), 100, 'The number that was called or written to is one of these.'),
    dialled_prefixes: some(Prefix, 100, 'It begins with one of these.'),
    caller_countries: some(CountryCode(), 250, 'Whoever calls or writes has a number of one of these countries.'),
    caller_prefixes: some(Prefix, 100, 'Their number begins with one of these.'),
    caller_lists: some(Uuid(), 20, 'They are on one of these lists of contacts.'),
    time_zone: Type.Optional(
      nullable(Type.String({ format: 'time-zone', description: 'Of what follows; null: that of the account.' })),
    ),
    time_windows: some(HoursWindow, 20, 'The time of day is in one of these.'),
    weekdays: some(Type.Enum([...dayNames]), 7, 'It is one of these days.'),
    holidays: Type.Optional(
      Type.Object(
        {
          on: Type.Boolean({ description: 'true: only on these days; false: on any other.' }),
          dates: Type.Array(Type.String({ format: 'date' }), { minItems: 1, maxItems: 400, uniqueItems: true }),
        },
        { title: 'RouteHolidays' },
      ),
    ),
    keywords: some(
      Type.String({ minLength: 1, maxLength: 100 }),
      100,
      'SMS, CHATAPP: the text has one of these, as whole words in any case.',
    ),
    digits: some(
      Type.String({ pattern: '^[0-9*#]{1,20}$', 'x-message': 'Enter up to 20 digits, * or #.' }),
      100,
      'VOICE: the caller entered exactly one of these.',
    ),
    percentage: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'Of so many in a hundred, drawn for each anew.' }),
    ),
    agent_available: Type.Optional(oneWanted(wantedFields)),
  },
  {
    title: 'RouteConditions',
    description: 'All that are given must hold; a list holds when one of its items fits. `{}` always holds.',
  },
);
export type RouteConditions = Static<typeof RouteConditions>;

export const usualRingSeconds = 25;
const ring_seconds = Type.Optional(
  Type.Integer({ minimum: 5, maximum: 120, description: `How long it rings; left out: ${usualRingSeconds}.` }),
);
const text = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'What is sent. `{{text}}`, `{{from}}` and `{{number}}` (written to) are filled in.',
    examples: ['{{from}} wrote: {{text}}'],
  }),
);
const template = Type.Optional(
  Type.Object(
    {
      template_name: Type.String({ minLength: 1, maxLength: 512 }),
      language_code: Type.Optional(Type.String({ minLength: 2, maxLength: 20 })),
      parameters: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
          maxItems: 20,
          description: 'Of its body, filled in like `text`.',
        }),
      ),
    },
    { title: 'RouteTemplate', description: 'In place of a text: reaches also people who did not write within a day.' },
  ),
);
const receiver = { to: Type.Optional(Phone('Who gets it.')), agent: Type.Optional(Uuid('The agent who gets it.')) };

const chatFields = { chatapp_number: Phone('Which of your chat-app numbers sends it.'), ...receiver, text, template };
const smsFields = {
  from: Type.String({ minLength: 1, maxLength: 64, description: 'One of your numbers, or a registered sender name.' }),
  ...receiver,
  text,
};
const toOne = <P extends TProperties>(fields: P) =>
  exactlyOne(['to', 'agent'], Type.Object(fields)) as TUnsafe<Static<TObject<P>>>;

/** What there is to do with a call or a message. */
const variants = {
  NUMBER: {
    numbers: Type.Array(Phone(), { minItems: 1, maxItems: 10, uniqueItems: true, description: 'Rung all at once.' }),
    ring_seconds,
  },
  AGENT: oneWanted({ ...wantedFields, strategy: Type.Optional(Strategy), ring_seconds }),
  SIP: { uri: SipUri, ring_seconds },
  VOICEMAIL: {},
  AUDIO: { audio_file: Type.String({ minLength: 1, maxLength: 255, description: 'Name or uuid of an audio file.' }) },
  CHATAPP: toOne(chatFields),
  SMS: toOne(smsFields),
  WEBHOOK: { url: Type.String({ format: 'uri', description: 'Gets it signed like a webhook.' }) },
  HANGUP: {},
};
const described = 'VOICE: NUMBER, AGENT, SIP, VOICEMAIL, AUDIO, HANGUP. SMS and CHATAPP: AGENT, CHATAPP, SMS, WEBHOOK.';
export const RouteDestination = tagged('type', {}, variants, { title: 'RouteDestination', description: described });
export type RouteDestination = Static<typeof RouteDestination>;
export const RouteFallback = tagged('type', {}, variants, {
  title: 'RouteFallback',
  description: `What happens when no route is left. ${described}`,
});

export const Route = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 200 })),
    conditions: Type.Optional(RouteConditions),
    destination: RouteDestination,
    group: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 50,
          description: 'Routes of one group that follow each other share one place: of those that match, one is drawn.',
        }),
      ),
    ),
    weight: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'How often, beside the others of its group; left out: 1.',
      }),
    ),
  },
  { title: 'Route' },
);
export type Route = Static<typeof Route>;

const needed = { name: Type.String({ minLength: 1, maxLength: 200 }), channel: Channel };
const optional = {
  numbers: Type.Array(Phone(), {
    maxItems: 1000,
    uniqueItems: true,
    description: 'The numbers it decides for; []: all of the channel that no other enabled config names.',
  }),
  enabled: Type.Boolean({ description: 'While it is false it decides nothing; it can be explained all the same.' }),
  routes: Type.Array(Route, { maxItems: 100, description: 'Tried in order.' }),
  fallback: nullable(RouteFallback),
};

export const RoutingConfigCreate = Type.Object(
  { ...needed, ...Type.Partial(Type.Object(optional)).properties },
  { title: 'RoutingConfigCreate' },
);
export type RoutingConfigCreate = Static<typeof RoutingConfigCreate>;
export const RoutingConfigPatch = Type.Partial(Type.Object({ ...needed, ...optional }), {
  title: 'RoutingConfigPatch',
});
export type RoutingConfigPatch = Static<typeof RoutingConfigPatch>;
const ConfigFields = Type.Object({ ...needed, ...optional });
export type ConfigFields = Static<typeof ConfigFields>;

export const withDefaults = (request: RoutingConfigCreate): ConfigFields => ({
  numbers: [],
  enabled: true,
  routes: [],
  fallback: null,
  ...request,
});

export const RoutingConfig = Type.Object(
  { uuid: Uuid(), ...needed, ...optional, created: Timestamp(), modified: Timestamp() },
  { title: 'RoutingConfig' },
);
export const RoutingConfigPage = PageOf(RoutingConfig, 'RoutingConfigPage');

/** A stored config in the words of the request. */
export const fieldsOf = (row: ConfigRow): ConfigFields => ({
  name: row.name,
  channel: row.channel as Channel,
  numbers: row.numbers,
  enabled: row.enabled,
  routes: row.routes as unknown as ConfigFields['routes'],
  fallback: row.fallback as ConfigFields['fallback'],
});

export const presentConfig = (row: ConfigRow) => ({
  uuid: row.uuid,
  ...fieldsOf(row),
  created: row.created,
  modified: row.modified,
});
