import { type Static, Type } from 'typebox';
import { FreeForm, Language, PageOf, Phone, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { nullable } from '../../platform/http/validation/index.ts';
import type { EventData } from '../webhooks/index.ts';
import type { CallRow } from './queries.ts';

export const CallDirection = Type.Enum(['OUTBOUND', 'INBOUND'], { title: 'CallDirection' });
export const CallStatus = Type.Enum(['QUEUED', 'RINGING', 'IN_PROGRESS', 'ENDED'], {
  title: 'CallStatus',
  description: 'QUEUED: waits to be dialled. RINGING: until somebody answers. IN_PROGRESS: people talk, or listen.',
});
export const CallResult = Type.Enum(['ANSWERED', 'MISSED', 'ABANDONED', 'BUSY', 'VOICEMAIL', 'REJECTED', 'FAILED'], {
  title: 'CallResult',
  description:
    'ANSWERED: somebody did. MISSED: nobody did. ABANDONED: the caller hung up before. BUSY: everybody was. VOICEMAIL: a ' +
    'message was left. REJECTED: it was refused. FAILED: it broke, or could not be made.',
});

export const CallCreate = Type.Object(
  {
    from: Phone(
      'One of your numbers that can make calls; the person called sees it. While there is only the sandbox, any will do.',
    ),
    to: Phone('Who is called.'),
    bridge_to: Type.Optional(Phone('Who is called then, and connected with `to`.')),
    tts: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        description: 'Text that is spoken to `to`.',
      }),
    ),
    tts_language: Type.Optional(Language('What `tts` is spoken in, as `GET /v2/voice/languages/` lists it; en.')),
    audio_file: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'Name or uuid of an audio file, played to `to`.' }),
    ),
    record: Type.Optional(Type.Boolean({ description: 'Record the call, one channel for each person.' })),
    timeout_seconds: Type.Optional(
      Type.Integer({ minimum: 5, maximum: 120, description: 'How long each phone rings at most; 25.' }),
    ),
    meta_data: Type.Optional(FreeForm({ description: 'Kept with the call and returned with it.' })),
  },
  {
    title: 'CallCreate',
    description: 'Rings `to`, speaks and plays what is given, in this order, then rings `bridge_to` and connects both.',
  },
);
export type CallCreate = Static<typeof CallCreate>;

const seconds = (description: string) => Type.Integer({ description });

const shared = {
  uuid: Uuid(),
  direction: CallDirection,
  number: Type.String({ description: 'Yours: the number that was called, or that the call is made from.' }),
  result: nullable(CallResult),
  target: Type.String({ description: 'The answer point: who was rung last, and answered if anybody did.' }),
  route: Type.String({ description: 'The route that led there; empty: `target_number`.' }),
  digits: Type.String({ description: 'Which the caller entered.' }),
  started: nullable(Timestamp('By the time of the carrier, as the next two.')),
  answered: nullable(Timestamp()),
  ended: nullable(Timestamp()),
  ring_seconds: seconds('While the phones of the people called rang.'),
  talk_seconds: seconds('From the answer to the end.'),
  total_seconds: seconds('From the start to the end.'),
  hung_up_by: Type.Enum(['', 'CALLER', 'CALLEE', 'PLATFORM', 'API', 'NETWORK'], {
    description: 'PLATFORM: there was nothing left to do. API: somebody asked for it.',
  }),
  sip_code: nullable(Type.Integer({ description: 'How it ended, in SIP’s words: 200, 486 busy, 480, 487, 603 …' })),
  description: Type.String({ description: 'Why it ended so, where that needs words.' }),
  notes: Type.Array(Type.String(), { description: 'What was left out, such as an audio file that is missing.' }),
  call_tracking: Type.String(),
  first_time_caller: nullable(
    Type.Boolean({ description: 'Whether the caller had never called the number; null without CALL_TRACKING.' }),
  ),
  caller_country: Type.String({ description: 'ISO 3166; empty: unknown.' }),
  whispered: Type.Boolean(),
  voicemail: Type.Boolean({ description: 'The recording is a voicemail.' }),
  recording_url: nullable(
    Type.String({ description: 'Where the WAV file is; asks for a token. null: there is none.' }),
  ),
  recording_seconds: nullable(Type.Integer()),
};

export const SpokenLanguage = Type.Object(
  { language: Type.String({ description: 'What `tts_language` takes.' }), name: Type.String() },
  { title: 'SpokenLanguage' },
);
export const SpokenLanguagePage = PageOf(SpokenLanguage, 'SpokenLanguagePage');

export const Call = Type.Object(
  {
    ...shared,
    status: CallStatus,
    from: Type.String({ description: 'Empty: the caller withheld it.' }),
    to: Type.String(),
    bridge_to: Type.String(),
    tts: Type.String(),
    tts_language: Type.String(),
    audio_file: Type.String(),
    record: Type.Boolean(),
    timeout_seconds: Type.Integer(),
    meta_data: FreeForm(),
    created: Timestamp(),
    modified: Timestamp(),
  },
  { title: 'Call' },
);
export const CallPage = PageOf(Call, 'CallPage');

export const CallRecord = Type.Object(
  {
    ...shared,
    result: CallResult,
    caller: Type.String({ description: 'Who called; empty: withheld.' }),
    called: Type.String({ description: 'The number that was dialled.' }),
    created: Timestamp(),
  },
  { title: 'CallRecord', description: 'The detail record of a call that is over.' },
);
export const CallRecordPage = PageOf(CallRecord, 'CallRecordPage');

const presentShared = (row: CallRow) => ({
  uuid: row.uuid,
  direction: row.direction,
  number: row.number,
  result: row.result,
  target: row.target,
  route: row.route,
  digits: row.digits,
  started: row.started_at,
  answered: row.answered_at,
  ended: row.ended_at,
  ring_seconds: row.ring_seconds,
  talk_seconds: row.talk_seconds,
  total_seconds: row.total_seconds,
  hung_up_by: row.hung_up_by,
  sip_code: row.sip_code,
  description: row.description,
  notes: row.notes,
  call_tracking: row.call_tracking,
  first_time_caller: row.first_time_caller,
  caller_country: row.caller_country,
  whispered: row.whispered,
  voicemail: row.voicemail,
  recording_url: row.recording_seconds === null ? null : `/v2/voice/calls/${row.uuid}/recording/`,
  recording_seconds: row.recording_seconds,
});

export const presentCall = (row: CallRow) => ({
  ...presentShared(row),
  status: row.status,
  from: row.from_number,
  to: row.to_number,
  bridge_to: row.bridge_to,
  tts: row.tts,
  tts_language: row.tts_language,
  audio_file: row.audio_file,
  record: row.record,
  timeout_seconds: row.timeout_seconds,
  meta_data: row.meta_data,
  created: row.created,
  modified: row.modified,
});

export const presentCallRecord = (row: CallRow) => ({
  ...presentShared(row),
  caller: row.from_number,
  called: row.to_number,
  created: row.created,
});

/** The call as it stands after the step. */
export const callEvents = {
  'call.started': Call,
  'call.answered': Call,
  'call.ended': Call,
  'call.recording_ready': Call,
  'call.voicemail_received': Call,
  'call.digits_captured': Call,
} satisfies EventData;
