import { Type } from 'typebox';
import { FreeForm } from '../../platform/http/openapi/models.ts';
import type { EventData } from '../webhooks/index.ts';
import { Message } from './schemas.ts';

const FlowAnswered = Type.Object(
  {
    flow_token: Type.String({ description: 'The token that the flow was sent with; empty: it had none.' }),
    answers: FreeForm({ description: 'What the person entered, by field.' }),
    message: Message,
  },
  { title: 'FlowAnswered' },
);

export const messageEvents = {
  'chatapp.message.received': Message,
  'chatapp.message.status': Message,
  'chatapp.flow.answered': FlowAnswered,
} satisfies EventData;
