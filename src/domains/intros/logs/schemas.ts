import { Type } from 'typebox';
import { FreeForm, PageOf, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import { sessionStatuses } from '../sessions/steps.ts';
import type { LogRow } from './queries.ts';

export const LogEvent = Type.Enum(
  [
    'chat_intro.created',
    'chat_intro.updated',
    'chat_intro.deleted',
    'chat_intro.clicked',
    'chat_intro.started',
    'chat_intro.replied',
    'chat_intro.repeated',
    'chat_intro.answered',
    'chat_intro.notified',
    'chat_intro.notify_failed',
    'chat_intro.reacted',
    'chat_intro.aparty_notified',
    'chat_intro.connected',
    'chat_intro.expired',
    'chat_intro.closed',
    'chat_intro.problem',
  ],
  { title: 'ChatIntroEvent' },
);

export const LogStatus = Type.Enum([...sessionStatuses], {
  title: 'ChatIntroSessionStatus',
});

const apartyNumber = nullable(Type.String({ description: 'The person of the session.' }));

export const ChatIntroLog = Type.Object(
  {
    uuid: Uuid(),
    chat_intro: Uuid(),
    session: nullable(Uuid('null: it is about the intro, not about one person.')),
    event: LogEvent,
    aparty_number: apartyNumber,
    data: FreeForm({ description: 'What is known of it; see docs/intros.md.' }),
    created: Timestamp(),
  },
  { title: 'ChatIntroLog' },
);
export const ChatIntroLogPage = PageOf(ChatIntroLog, 'ChatIntroLogPage');

export const ChatIntroStatusLog = Type.Object(
  {
    uuid: Uuid(),
    chat_intro: Uuid(),
    session: nullable(Uuid()),
    aparty_number: apartyNumber,
    status: LogStatus,
    created: Timestamp(),
  },
  { title: 'ChatIntroStatusLog', description: 'A session reached a state.' },
);
export const ChatIntroStatusLogPage = PageOf(ChatIntroStatusLog, 'ChatIntroStatusLogPage');

export const presentLog = ({ uuid, subject, kind, data, at }: LogRow) => ({
  uuid,
  chat_intro: subject,
  session: data.session ?? null,
  event: kind,
  aparty_number: data.aparty_number ?? null,
  data,
  created: at,
});

export const presentStatusLog = ({ uuid, subject, data, at }: LogRow) => ({
  uuid,
  chat_intro: subject,
  session: data.session ?? null,
  aparty_number: data.aparty_number ?? null,
  status: data.status,
  created: at,
});
