import { type Static, Type } from 'typebox';
import { FreeForm, ItemError, PageOf, Phone, Timestamp, Uuid, Uuids } from '../../platform/http/openapi/models.ts';
import { nullable } from '../../platform/http/validation/index.ts';
import { isMasked, masked } from '../../platform/text/redact.ts';
import { CallbackUrl, type EventData } from '../webhooks/index.ts';
import { senderPattern } from './addresses.ts';
import type { SmsRow, StatusEvent } from './queries.ts';

/** At most so many parts; most phones join no more. */
export const mostSegments = 10;

export const senderSentence = 'Enter a phone number, or a sender name of up to 11 characters with a letter among them.';

export const SmsSender = Type.String({
  pattern: senderPattern,
  maxLength: 64,
  'x-message': senderSentence,
  description:
    'One of your numbers that can send SMS, or a registered sender name. While all links are sandbox links, any will do.',
});

const shared = {
  from: SmsSender,
  text: Type.String({
    minLength: 1,
    maxLength: 10_000,
    description: `At most ${mostSegments} segments: 1,530 characters, or 670 with any outside the GSM alphabet.`,
  }),
  send_at: Type.Optional(
    Type.String({ format: 'date-time', description: 'Not before this moment, at most 90 days ahead.' }),
  ),
  validity_seconds: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: 604_800,
      description: 'Not to be sent or delivered later than this, counted from when it may leave.',
    }),
  ),
  smart_encoding: Type.Optional(
    Type.Boolean({
      description:
        'Write typographic quotes, dashes, spaces … in plain signs when the text fits the GSM alphabet then.',
    }),
  ),
  ignore_quiet_hours: Type.Optional(
    Type.Boolean({
      description: "Leaves also in the account's quiet hours: for one-time passwords and what else is waited for.",
    }),
  ),
  sensitive: Type.Optional(
    Type.Boolean({
      description:
        'Whether it is secret, such as a one-time password: webhooks and events come without its content, and the content is ' +
        'removed once it was delivered or has failed.',
    }),
  ),
  expect_feedback: Type.Optional(
    Type.Boolean({
      description:
        'Whether it is a one-time password whose use you report (`…/feedback/`), for the safeguard `otp_conversion`. If left out, what is ' +
        '`sensitive` is.',
    }),
  ),
  callback_url: Type.Optional(CallbackUrl),
  meta_data: Type.Optional(FreeForm({ description: 'Kept with the SMS and returned with it.' })),
};

export const SmsCreate = Type.Object({ ...shared, to: Phone('Who gets it.') }, { title: 'SmsCreate' });
export type SmsCreate = Static<typeof SmsCreate>;

const mostAtOnce = 1000;
const items = { minItems: 1, maxItems: mostAtOnce };

/** The items are checked one by one: a bad one does not stop the others. */
export const SmsCreateMultiple = Type.Object(
  {
    messages: Type.Optional(
      Type.Array(Type.Unknown(), {
        ...items,
        description: 'SMS as for the single request. Or else `to` and the rest:',
      }),
    ),
    to: Type.Optional(Type.Array(Type.Unknown(), { ...items, description: 'Recipients of one text.' })),
    ...Type.Partial(Type.Object(shared)).properties,
  },
  {
    title: 'SmsCreateMultiple',
    description: `Up to ${mostAtOnce}: either \`messages\`, or \`from\`, \`to\` and \`text\`.`,
  },
);
export type SmsCreateMultiple = Static<typeof SmsCreateMultiple>;

export const SmsDirection = Type.Enum(['OUTBOUND', 'INBOUND'], { title: 'SmsDirection' });
export const SmsStatus = Type.Enum(['QUEUED', 'SENT', 'DELIVERED', 'FAILED', 'CANCELLED', 'RECEIVED'], {
  title: 'SmsStatus',
  description:
    'Moves forward only: QUEUED → SENT (all parts were taken) → DELIVERED (all parts were). FAILED and CANCELLED are final; inbound is RECEIVED.',
});

export const SmsRecord = Type.Object(
  {
    uuid: Uuid(),
    direction: SmsDirection,
    status: SmsStatus,
    status_description: Type.String({
      description: 'Why it failed, in words and with the code of the carrier; or why it waits.',
    }),
    from: Type.String(),
    to: Type.String(),
    text: Type.String({ description: 'As it is sent, after the replacements of `smart_encoding`.' }),
    segments: Type.Integer({ description: 'The parts it is sent in, or came in.' }),
    encoding: Type.String({ description: 'GSM7 or UCS2; of an inbound SMS as the link named it.' }),
    keyword: nullable(Type.String({ description: "The number's keyword that an inbound text began with." })),
    meta_data: FreeForm(),
    created: Timestamp(),
    modified: Timestamp(),
    resent_as: Type.Optional(
      Uuid('The SMS that was sent in its place, of one that failed and was sent again; left out of any other.'),
    ),
  },
  { title: 'SmsRecord' },
);
export const SmsToResend = Type.Object({ sms: Uuids('The SMS.') }, { title: 'SmsToResend' });
export const SmsToCancel = Type.Object({ sms: Uuids('The SMS.') }, { title: 'SmsToCancel' });

export const SmsRecordPage = PageOf(SmsRecord, 'SmsRecordPage');

const SmsStatusLog = Type.Object(
  {
    uuid: Uuid(),
    status: SmsStatus,
    status_description: Type.String(),
    applied: Type.Boolean({ description: 'false: it came late or twice and changed nothing.' }),
    created: Timestamp(),
  },
  { title: 'SmsStatusLog' },
);
export const SmsStatusLogPage = PageOf(SmsStatusLog, 'SmsStatusLogPage');

export const presentStatusLog = ({ uuid, data, at }: StatusEvent) => ({
  uuid,
  status: data.status,
  status_description: data.status_description ?? '',
  applied: data.applied ?? true,
  created: at,
});

const SmsRefusal = Type.Object(
  { errors: ItemError },
  { title: 'SmsRefusal', description: 'What the single request would have been answered.' },
);
export const SmsResults = Type.Object(
  { results: Type.Array(Type.Unsafe<object>({ anyOf: [SmsRecord, SmsRefusal] })) },
  { title: 'SmsResults', description: 'One for each SMS of the request, in its order.' },
);

/** As webhooks tell it: of a sensitive one they are never told what it says. */
export const presentToWebhooks = (row: SmsRow) => ({ ...presentSms(row), ...(row.sensitive && { text: masked }) });

export const presentSms = (row: SmsRow) => ({
  uuid: row.uuid,
  direction: row.direction,
  status: row.status,
  status_description: row.status_description,
  from: row.from_number,
  to: row.to_number,
  text: isMasked(row.sensitive, row.status) ? masked : row.text,
  segments: row.segments,
  encoding: row.encoding,
  keyword: row.keyword,
  meta_data: row.meta_data,
  created: row.created,
  modified: row.modified,
  ...(row.resent_as && { resent_as: row.resent_as }),
});

const count = Type.Integer({ minimum: 0 });

export const SmsLedger = Type.Object(
  {
    accepted: count,
    final: Type.Object({ delivered: count, failed: count, cancelled: count }),
    pending: Type.Object({ queued: count, sent: count }),
    unaccounted: Type.Integer({ description: 'accepted − final − pending. Anything but 0 is a fault of ours.' }),
  },
  { title: 'SmsLedger' },
);

export const smsEvents = { 'sms.received': SmsRecord, 'sms.status': SmsRecord } satisfies EventData;
