import { type Static, Type } from 'typebox';
import { Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { nullable } from '../../platform/http/validation/index.ts';
import { WeekHours } from '../../platform/time/week-hours.ts';
import type { EventData } from '../webhooks/index.ts';
import type { ConfigRow } from './queries.ts';

const minutes = (description: string) => nullable(Type.Integer({ minimum: 1, maximum: 10_080, description }));

const KeywordGroup = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    keywords: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Looked for as whole words in any case; one may be several words.',
    }),
  },
  { title: 'KeywordGroup' },
);

const enabled = Type.Boolean({ description: 'Whether `insight.digest` is sent every day.' });
const hour = Type.Integer({ minimum: 0, maximum: 23, description: 'At this hour in the time zone of the account.' });

const fields = {
  missed_call_window_minutes: minutes(
    'After a missed call nobody called back for so long: `insight.missed_call`. null: nobody watches.',
  ),
  reply_time_target_minutes: minutes(
    'Somebody wrote and was not answered for so long, in business hours: `insight.slow_reply`. null: nobody watches.',
  ),
  keyword_groups: Type.Array(KeywordGroup, {
    maxItems: 50,
    description: 'A message that has a keyword of a group: `insight.keyword`.',
  }),
  // In the time zone of the account; null: always.
  business_hours: nullable(WeekHours),
};
const digest = Type.Object({ enabled, hour }, { title: 'InsightsDigest' });
const DigestChange = Type.Object(
  { enabled: Type.Optional(enabled), hour: Type.Optional(hour) },
  { title: 'InsightsDigestChange' },
);

export const InsightsConfig = Type.Object(
  { ...fields, digest, modified: nullable(Timestamp('null: it was never set.')) },
  { title: 'InsightsConfig', description: '`business_hours` are of the time zone of the account; null: always.' },
);
export const InsightsConfigChange = Type.Partial(Type.Object({ ...fields, digest: DigestChange }), {
  title: 'InsightsConfigChange',
});
export type InsightsConfigChange = Static<typeof InsightsConfigChange>;

const Settings = Type.Object({ ...fields, digest });
export type Settings = Static<typeof Settings>;

/** Nobody watches anything until somebody asks for it. */
export const defaults: Settings = {
  missed_call_window_minutes: null,
  reply_time_target_minutes: null,
  keyword_groups: [],
  business_hours: null,
  digest: { enabled: false, hour: 8 },
};

/** A stored config in the words of the request. */
export const settingsOf = (row: ConfigRow | undefined): Settings =>
  row
    ? {
        missed_call_window_minutes: row.missed_call_window_minutes,
        reply_time_target_minutes: row.reply_time_target_minutes,
        keyword_groups: row.keyword_groups as unknown as Settings['keyword_groups'],
        business_hours: row.business_hours as Settings['business_hours'],
        digest: { enabled: row.digest_due_at !== null, hour: row.digest_hour },
      }
    : defaults;

export const presentConfig = (row: ConfigRow | undefined) => ({ ...settingsOf(row), modified: row?.modified ?? null });

const counts = (names: readonly string[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Integer()])));
export const messageStatuses = ['QUEUED', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'CANCELLED', 'RECEIVED'] as const;
export const smsStatuses = ['QUEUED', 'SENT', 'DELIVERED', 'FAILED', 'CANCELLED', 'RECEIVED'] as const;
export const callResults = ['ANSWERED', 'MISSED', 'ABANDONED', 'BUSY', 'VOICEMAIL', 'REJECTED', 'FAILED'] as const;

export const introSteps = ['started', 'replied', 'notified', 'connected'] as const;

export const Insights = Type.Object(
  {
    from: Timestamp(),
    to: Timestamp('Not included.'),
    messages: { ...counts(messageStatuses), description: 'By their status now; RECEIVED: what people wrote.' },
    sms: counts(smsStatuses),
    inbound_calls: counts(callResults),
    outbound_calls: counts(callResults),
    intros: counts(introSteps),
    leads: Type.Integer(),
  },
  { title: 'Insights', description: 'What began in a span of time, and what has become of it.' },
);
export type Insights = Static<typeof Insights>;

const channel = Type.Enum(['CHATAPP', 'SMS']);
const subject = {
  message: Type.Optional(Uuid('The chat-app message; left out: it was an SMS.')),
  sms: Type.Optional(Uuid('The SMS; left out: it was a chat-app message.')),
};

const MissedCall = Type.Object(
  {
    call: Uuid('The first call that was missed.'),
    number: Type.String({ description: 'The number that was called, digits alone.' }),
    caller: Type.String({ description: 'Who called, digits alone.' }),
    missed_at: Timestamp(),
    window_minutes: Type.Integer({ description: 'The window of the account: `missed_call_window_minutes`.' }),
  },
  { title: 'MissedCall' },
);

const SlowReply = Type.Object(
  {
    channel,
    ...subject,
    number: Type.String({ description: 'The number that was written to, digits alone.' }),
    from: Type.String({ description: 'Who wrote, digits alone.' }),
    written_at: Timestamp(),
    target_minutes: Type.Integer({ description: 'The target of the account: `reply_time_target_minutes`.' }),
  },
  { title: 'SlowReply' },
);

const KeywordFound = Type.Object(
  {
    group: Type.String({ description: 'The name of the group.' }),
    keywords: Type.Array(Type.String(), { description: 'Those of the group that the text has.' }),
    channel,
    ...subject,
    number: Type.String({ description: 'The number that was written to.' }),
    from: Type.String({ description: 'Who wrote.' }),
    text: Type.String(),
  },
  { title: 'KeywordFound' },
);

export const insightEvents = {
  'insight.missed_call': MissedCall,
  'insight.slow_reply': SlowReply,
  'insight.keyword': KeywordFound,
  'insight.digest': Insights,
} satisfies EventData;
