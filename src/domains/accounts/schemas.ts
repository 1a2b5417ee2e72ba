import { type Static, Type } from 'typebox';
import { type ContentProgress, contentStatuses } from '../../platform/content/passes.ts';
import { CountryCode, FreeForm, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { nullable } from '../../platform/http/validation/index.ts';
import { type AccountRow, type RetentionKind, retentionKinds } from './queries.ts';
import { sandboxModes } from './sandbox.ts';
import type { Storage } from './storage.ts';

/** A template that tells somebody of the account what a person wrote. */
export const NotifyTemplate = Type.Object(
  {
    template_name: Type.String({ minLength: 1, maxLength: 512 }),
    language_code: Type.Optional(Type.String({ minLength: 2, maxLength: 20 })),
    parameters: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
        maxItems: 20,
        description: 'Of its body. `{{text}}`, `{{from}}` and `{{number}}` (written to) are filled in.',
        examples: [['{{from}}', '{{text}}']],
      }),
    ),
  },
  { title: 'NotifyTemplate' },
);
export type NotifyTemplate = Static<typeof NotifyTemplate>;

const clockTime = { pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', 'x-message': 'Enter a time as HH:MM.' };
const QuietHours = Type.Object(
  { start: Type.String(clockTime), end: Type.String(clockTime) },
  {
    title: 'QuietHours',
    description: 'Local time of the recipient; may pass midnight. Nothing is sent from start until end.',
  },
);

const price = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000, description }));
const AccountPrices = Type.Object(
  {
    currency: Type.String({ pattern: '^[A-Z]{3}$', 'x-message': 'Enter a currency code such as GBP.' }),
    sms_part: price('Of one SMS part.'),
    chatapp_message: price('Of one chat message.'),
    number_month: price('Of a phone number, by the month.'),
  },
  {
    title: 'AccountPrices',
    description:
      'What your carriers charge you, where `prices` of the safeguards have none for the prefix of a number. For estimates and caps by cost; ' +
      'nothing is billed.',
  },
);
export type AccountPrices = Static<typeof AccountPrices>;

export const accountFields = {
  session_days: Type.Integer({
    minimum: 1,
    maximum: 365,
    description: 'Days after which a browser has to sign in again.',
  }),
  session_idle_minutes: nullable(
    Type.Integer({
      minimum: 5,
      maximum: 525_600,
      description: 'Minutes without a request after which a browser has to sign in again; null: no such limit.',
    }),
  ),
  token_days: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 3650,
      description: 'Days that a new token lives if its maker says nothing; null: until it is revoked.',
    }),
  ),
  name: Type.String({ minLength: 1, maxLength: 200 }),
  default_country: CountryCode({
    description: 'In which numbers without a country are read: `07700 900123` is +447700900123 for GB.',
  }),
  time_zone: Type.String({ format: 'time-zone', examples: ['Europe/London'] }),
  language_code: Type.String({
    pattern: '^[a-z]{2,3}(_[A-Za-z0-9]{2,8})*$',
    'x-message': 'Enter a language code such as en_GB.',
  }),
  quiet_hours: nullable(QuietHours),
  retention_days: Type.Integer({ minimum: 1, maximum: 3650 }),
  opt_out_keywords: Type.Array(Type.String({ minLength: 1, maxLength: 30, pattern: '\\S', examples: ['ARRET'] }), {
    maxItems: 50,
    uniqueItems: true,
    description:
      'Words that opt a person out as STOP does, on chat and SMS, when they are the whole message; in any case.',
  }),
  sandbox: Type.Enum([...sandboxModes], {
    title: 'SandboxMode',
    description:
      'How far the account uses the sandbox. `adopt`: senders, templates and SMS links that nobody registered are taken into use there. ' +
      '`registered`: only what was registered on the sandbox works, and what is unknown is a 400. `off`: no sandbox at all. With the ' +
      'first live sender, SMS link or trunk `adopt` becomes `registered`.',
  }),
  notify_template: nullable(
    Type.Object(NotifyTemplate.properties, {
      title: 'AccountNotifyTemplate',
      description:
        'Tells an agent who has no template of their own what somebody wrote, when the agent did not write within 24 hours.',
    }),
  ),
  prices: nullable(AccountPrices),
  retention: Type.Partial(
    Type.Object(
      Object.fromEntries(
        retentionKinds.map((kind) => [
          kind,
          Type.Integer({ minimum: 1, maximum: 3650, description: 'Days for which it is kept.' }),
        ]),
      ) as Record<RetentionKind, ReturnType<typeof Type.Integer>>,
    ),
    {
      title: 'Retention',
      description: 'Days by kind of data, where they differ from `retention_days`. It replaces what was set before.',
    },
  ),
  redact_content: Type.Boolean({
    description:
      'Whether webhooks, callbacks and the timeline come without what people said: texts, captured digits, answers and notes are ' +
      '`[redacted]`. The API shows them as before.',
  }),
  encrypt_content: Type.Boolean({
    description:
      'Whether what people said is encrypted where it is stored: messages, SMS, recordings, voicemail and media. The API shows it as ' +
      'before. What is stored already is encrypted, or decrypted, in the background.',
  }),
  audit_reads: Type.Boolean({
    description:
      'Whether the audit log has reads of content, too: of a message, an SMS, a recording, media, a person, and of exports.',
  }),
  help_text: nullable(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: '\\S',
      description:
        'The answer to HELP and INFO. null: SMS get the usual answer, and in chats they are words like others.',
    }),
  ),
};
export const limitFields = {
  requests_per_minute: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000_000 })),
  storage_bytes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2 ** 50,
      description: 'How much room files may take: media, audio, recordings, exports.',
    }),
  ),
};
const Limits = Type.Object(limitFields, { title: 'AccountLimits' });

const ContentEncryption = Type.Object(
  {
    status: Type.Enum([...contentStatuses], {
      description:
        'ENCRYPTING and DECRYPTING while content that was stored before `encrypt_content` was changed is converted.',
    }),
    total: nullable(
      Type.Integer({
        minimum: 0,
        description: 'How many rows and files there were when the conversion began; null until they are counted.',
      }),
    ),
    remaining: nullable(
      Type.Integer({
        minimum: 0,
        description:
          'How many of them are left; null until they are counted. At 0 everything is checked once more before the status changes.',
      }),
    ),
    started: nullable(Timestamp('When `encrypt_content` was last changed; null: never.')),
    finished: nullable(Timestamp('When everything was converted; null: not yet, or nothing was.')),
  },
  { title: 'ContentEncryption', description: 'How far existing content is encrypted, or decrypted.' },
);

export const Account = Type.Object(
  {
    uuid: Uuid(),
    ...accountFields,
    limits: FreeForm(),
    usage: Type.Object(
      { storage_bytes: Type.Integer({ description: 'The room that files take now.' }) },
      { title: 'AccountUsage' },
    ),
    content_encryption: ContentEncryption,
    operator: Type.Boolean({ description: 'Whether it is the account of whoever runs this server.' }),
    created: Timestamp(),
    modified: Timestamp(),
  },
  { title: 'Account' },
);
export const AccountPatch = Type.Partial(
  Type.Object({ ...accountFields, limits: Limits }, { description: '`limits` needs the operator scope.' }),
  { title: 'AccountPatch' },
);
export type AccountPatch = Static<typeof AccountPatch>;

export const presentAccount = (row: AccountRow, { usedBytes }: Storage, encryption: ContentProgress) => ({
  uuid: row.uuid,
  name: row.name,
  default_country: row.default_country,
  time_zone: row.time_zone,
  language_code: row.language_code,
  quiet_hours: row.quiet_hours,
  retention_days: row.retention_days,
  session_days: row.session_days,
  session_idle_minutes: row.session_idle_minutes,
  token_days: row.token_days,
  opt_out_keywords: row.opt_out_keywords,
  sandbox: row.sandbox,
  notify_template: row.notify_template,
  prices: row.prices,
  retention: row.retention,
  redact_content: row.redact_content,
  encrypt_content: row.encrypt_content,
  audit_reads: row.audit_reads,
  help_text: row.help_text,
  limits: row.limits,
  usage: { storage_bytes: usedBytes },
  content_encryption: encryption,
  operator: row.operator,
  created: row.created,
  modified: row.modified,
});
