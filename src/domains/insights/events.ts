import { Type } from 'typebox';
import { Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import type { EventData } from '../webhooks/index.ts';
import { Insights } from './schemas.ts';

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
