import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import { route } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { keysetChunks, keysetPage, pageQuery } from '../../../platform/db/page.ts';
import { FreeForm, PageOf, Phone, presentPage, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { ok } from '../../../platform/http/route.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import { eventsOfType } from '../../timeline/index.ts';

const VoiceEvent = Type.Enum(
  [
    'call.queued',
    'call.started',
    'call.played',
    'call.audio_skipped',
    'call.digits_asked',
    'call.digits_captured',
    'call.routed',
    'call.ringing',
    'call.not_answered',
    'call.answered',
    'call.recording_started',
    'call.recording_ready',
    'call.voicemail_received',
    'call.ended',
  ],
  { title: 'VoiceEvent' },
);

const VoiceCallLogFilter = Type.Object({
  ...pageQuery,
  number: Type.Optional(Phone('Your number.')),
  call: Type.Optional(Uuid('The story of one call.')),
  event: Type.Optional(VoiceEvent),
});

const VoiceCallLog = Type.Object(
  {
    uuid: Uuid(),
    call: Uuid(),
    number: Type.String({ description: 'Yours.' }),
    event: VoiceEvent,
    data: FreeForm({ description: 'All that was noted.' }),
    created: Timestamp(),
  },
  { title: 'VoiceCallLog' },
);

interface CallEventRow {
  uuid: string;
  subject: string;
  kind: string;
  data: { number: string };
  at: string;
}

const columns = { uuid: 'uuid', created: 'at' };

function callEvents(db: Db, accountId: string, { number, call, event }: Static<typeof VoiceCallLogFilter>) {
  let rows = eventsOfType(db, accountId, 'call').$castTo<CallEventRow>();
  if (number) rows = rows.where(sql`data ->> 'number'`, '=', `+${phoneDigits(number)}`);
  if (call) rows = rows.where('subject', '=', call);
  if (event) rows = rows.where('kind', '=', event);
  return rows;
}

const presentEvent = ({ uuid, subject, kind, data, at }: CallEventRow) => ({
  uuid,
  call: subject,
  number: data.number,
  event: kind,
  data,
  created: at,
});

async function* presented(chunks: AsyncIterable<CallEventRow[]>) {
  for await (const rows of chunks) yield rows.map(presentEvent);
}

export const logRoutes = [
  route({
    method: 'GET',
    url: '/v2/logs/voice-calls/',
    operationId: 'listVoiceCallLog',
    summary: 'Voice call log: every step of every call',
    tag: 'Logs',
    scope: 'calls:read',
    query: VoiceCallLogFilter,
    responses: { 200: PageOf(VoiceCallLog, 'VoiceCallLogPage') },
    csv: {
      name: 'voice-calls',
      columns: Object.keys(VoiceCallLog.properties),
      rows: ({ deps, accountId, query }) =>
        presented(keysetChunks(callEvents(deps.db, accountId, query), query, columns)),
    },
    bound: { numbers: ({ query }) => [query.number] },
    handler: async ({ deps, accountId, query, url }) =>
      ok(
        presentPage(
          await keysetPage(deps.db, callEvents(deps.db, accountId, query), query, columns),
          url(),
          presentEvent,
        ),
      ),
  }),
];
