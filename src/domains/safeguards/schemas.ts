import { type Static, Type } from 'typebox';
import { CountryCode, PageOf, Phone, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { nullable } from '../../platform/http/validation/index.ts';
import { priceClasses } from './destination.ts';
import type { IncidentRow } from './queries.ts';

export const channels = ['CHATAPP', 'SMS', 'VOICE'] as const;
export const rules = [
  'COUNTRY',
  'PREFIX',
  'PRICE_CLASS',
  'CAP',
  'PUMPING',
  'OTP_CONVERSION',
  'CONCURRENT_CALLS',
  'FORWARDING_LOOP',
  'HELP',
] as const;
export type Rule = (typeof rules)[number];
/** Rules that hold a range of numbers until somebody has looked. */
const holdingRules = ['PUMPING', 'OTP_CONVERSION'] as const satisfies Rule[];
export type HoldingRule = (typeof holdingRules)[number];
export const isHolding = (rule: string): rule is HoldingRule => (holdingRules as readonly string[]).includes(rule);

const statuses = ['NOTED', 'HELD', 'RELEASED', 'BLOCKED'] as const;

const AllowedCountries = nullable(
  Type.Array(CountryCode(), {
    maxItems: 250,
    uniqueItems: true,
    description: 'Countries that may be sent to and called, ISO 3166. null: all.',
  }),
);
const Prefix = Type.String({
  pattern: '^\\+[1-9][0-9]{0,14}$',
  'x-message': 'Enter the beginning of an international number, such as +4490.',
});
const BlockedPrefixes = Type.Array(Prefix, {
  maxItems: 500,
  uniqueItems: true,
  description: 'Numbers that begin so are refused.',
});

const SenderRule = Type.Object(
  {
    sender: Type.String({ minLength: 1, maxLength: 64, description: 'A number or sender name of yours.' }),
    allowed_countries: Type.Optional(AllowedCountries),
    blocked_prefixes: Type.Optional(BlockedPrefixes),
  },
  { title: 'SenderSafeguard', description: 'Holds for one sender, beside the rules of the account.' },
);

const Cap = Type.Object(
  {
    channel: Type.Enum(['ALL', ...channels], { description: 'The channel that counts, or ALL.' }),
    per: Type.Enum(['ACCOUNT', 'SENDER', 'RECIPIENT', 'COUNTRY'], { description: 'What is counted by itself.' }),
    window: Type.Enum(['HOUR', 'DAY'], { description: 'Hours and days of UTC.' }),
    measure: Type.Enum(['COUNT', 'COST'], {
      description:
        'COUNT: messages, SMS segments, calls. COST: what they cost by `prices`, else by those of the account.',
    }),
    max: Type.Number({ minimum: 0, maximum: 1_000_000_000, description: 'The most in a window.' }),
  },
  { title: 'SendingCap' },
);
export type Cap = Static<typeof Cap>;

const Price = Type.Object(
  {
    channel: Type.Enum([...channels], { title: 'SafeguardChannel', description: 'The channel.' }),
    prefix: Type.String({
      pattern: '^\\+([1-9][0-9]{0,14})?$',
      'x-message': 'Enter the beginning of an international number, such as +44; + alone is every number.',
      description: 'The longest that fits counts; `+` fits every number.',
    }),
    price: Type.Number({
      minimum: 0,
      maximum: 1000,
      description: 'Of a message, an SMS segment, or a call as it begins, in your currency.',
    }),
  },
  { title: 'SendingPrice' },
);

const fields = {
  allowed_countries: AllowedCountries,
  blocked_prefixes: BlockedPrefixes,
  highest_price_class: Type.Enum([...priceClasses], {
    title: 'PriceClass',
    description: 'Numbers of a higher class are refused. PREMIUM: premium-rate and satellite numbers; all are allowed.',
  }),
  senders: Type.Array(SenderRule, { maxItems: 200, description: 'Rules for single senders.' }),
  caps: Type.Array(Cap, { maxItems: 20, description: 'What is sent above a cap is refused until its window ends.' }),
  prices: Type.Array(Price, {
    maxItems: 500,
    description:
      'For caps of COST and estimates of campaigns. Where none fits, `prices` of the account count; what has no price there either costs nothing.',
  }),
  max_concurrent_calls: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 100_000,
      description: 'Calls at once, of which you start no more. null: no limit.',
    }),
  ),
  pumping_recipients: nullable(
    Type.Integer({
      minimum: 2,
      maximum: 999,
      description:
        'When so many numbers of one range of a thousand are sent SMS within an hour, the range is held for review. null: never.',
    }),
  ),
  otp_conversion: nullable(
    Type.Object(
      {
        min_recipients: Type.Integer({
          minimum: 2,
          maximum: 999,
          description: 'With fewer numbers a range is not judged.',
        }),
        min_percent: Type.Integer({
          minimum: 1,
          maximum: 100,
          description: 'Of these numbers, how many must have used theirs.',
        }),
      },
      {
        title: 'OtpConversion',
        description:
          'A range of a thousand numbers is held for review when too few of its numbers that were sent one-time passwords within an hour used ' +
          'them, by your feedback. Begins with your first feedback. null: never.',
      },
    ),
  ),
  help_replies_per_hour: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'How often one person who writes HELP is answered in an hour.',
  }),
};
const Settings = Type.Object(fields);
export type Settings = Static<typeof Settings>;
export const Safeguards = Type.Object(
  {
    ...fields,
    feedback_since: nullable(
      Timestamp(
        'When the account first reported that a one-time password was used. null: never, and `otp_conversion` waits.',
      ),
    ),
  },
  { title: 'Safeguards' },
);
export const SafeguardsPatch = Type.Partial(Settings, { title: 'SafeguardsPatch' });
export type SafeguardsPatch = Static<typeof SafeguardsPatch>;

export const defaults: Settings = {
  allowed_countries: null,
  blocked_prefixes: [],
  highest_price_class: 'PREMIUM',
  senders: [],
  caps: [],
  prices: [],
  max_concurrent_calls: null,
  pumping_recipients: null,
  otp_conversion: null,
  help_replies_per_hour: 5,
};

export const presentSafeguards = ({
  settings,
  feedback_since,
}: {
  settings: Partial<Settings>;
  feedback_since: string | null;
}) => ({
  ...defaults,
  ...settings,
  feedback_since,
});

export const Incident = Type.Object(
  {
    uuid: Uuid(),
    rule: Type.Enum([...rules], { title: 'SafeguardRule', description: 'The safeguard that refused.' }),
    channel: Type.String(),
    subject: Type.String({ description: 'The country, prefix, sender, recipient or range, by the rule.' }),
    status: Type.Enum([...statuses], {
      title: 'SafeguardStatus',
      description:
        'NOTED: nothing is to be done. HELD: a range waits for review. RELEASED, BLOCKED: how it was reviewed.',
    }),
    sender: Type.String({ description: 'The sender of the first that was refused.' }),
    recipient: Type.String({ description: 'The recipient of the first that was refused.' }),
    refused: Type.Integer({ description: 'How many were refused.' }),
    reviewed_by: nullable(Type.String({ description: 'Who released or blocked it.' })),
    created: Timestamp(),
    modified: Timestamp(),
  },
  { title: 'SafeguardIncident' },
);
export const IncidentPage = PageOf(Incident, 'SafeguardIncidentPage');
export const incidentFilters = {
  rule: Type.Optional(Incident.properties.rule),
  status: Type.Optional(Incident.properties.status),
};

export const Review = Type.Object(
  { status: Type.Enum(['RELEASED', 'BLOCKED'], { description: 'Whether the range may be sent to.' }) },
  { title: 'SafeguardReview' },
);

export const ExplainRequest = Type.Object(
  {
    channel: Type.Enum([...channels], { title: 'SafeguardChannel', description: 'The channel.' }),
    sender: Type.String({ minLength: 1, maxLength: 64, description: 'The number or name to send from.' }),
    to: Phone('The number to send to or to call.'),
    segments: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Of an SMS; 1 if left out.' })),
    expect_feedback: Type.Optional(
      Type.Boolean({ description: 'Whether it is a one-time password; false if left out.' }),
    ),
    safeguards: Type.Optional(
      Type.Object(SafeguardsPatch.properties, {
        title: 'SafeguardsDraft',
        description: 'Safeguards to try before they are stored; those left out are as stored.',
      }),
    ),
  },
  {
    title: 'SafeguardExplainRequest',
    description: 'With `safeguards`, what they would do if they were stored.',
  },
);
export const Explanation = Type.Object(
  {
    allowed: Type.Boolean({ description: 'Whether it would be sent now.' }),
    country: nullable(Type.String({ description: 'The country of the number; null: of none.' })),
    price_class: Safeguards.properties.highest_price_class,
    cost: Type.Number({ description: 'By `prices`, else by those of the account.' }),
    refusals: Type.Array(
      Type.Object(
        {
          rule: Incident.properties.rule,
          code: Type.String(),
          detail: Type.String({ description: 'Why, in a sentence.' }),
        },
        { title: 'SafeguardRefusal' },
      ),
      { description: 'Every safeguard that would refuse it; empty: none.' },
    ),
    caps: Type.Array(
      Type.Object(
        { ...Cap.properties, used: Type.Number({ description: 'What is used of it in this window.' }) },
        { title: 'SendingCapUse' },
      ),
      { description: 'The caps that it would count toward.' },
    ),
    otp_conversion: nullable(
      Type.Object(
        {
          recipients: Type.Integer({ description: 'Numbers of its range that were sent one-time passwords.' }),
          used: Type.Integer({ description: 'Those of them that used theirs.' }),
        },
        {
          title: 'OtpConversionUse',
          description:
            'What is known of its range: one hour, without the last five to ten minutes. null: `otp_conversion` is off or waits for ' +
            'feedback, or the number has no range.',
        },
      ),
    ),
  },
  { title: 'SafeguardExplanation' },
);

export const presentIncident = (row: IncidentRow) => ({
  uuid: row.uuid,
  rule: row.rule as Rule,
  channel: row.channel,
  subject: row.subject,
  status: row.status as (typeof statuses)[number],
  sender: row.sender,
  recipient: row.recipient,
  refused: Number(row.refused),
  reviewed_by: row.reviewed_by,
  created: row.created,
  modified: row.modified,
});
