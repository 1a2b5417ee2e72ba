import { Type } from 'typebox';
import { Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import type { EventData } from '../webhooks/index.ts';

const RoutedMessage = Type.Object(
  {
    message: Type.Object(
      {
        uuid: Uuid(),
        number: Type.String({ description: 'The number that was written to.' }),
        from: Type.String({ description: 'Who wrote.' }),
        type: Type.String({ description: 'Its `MessageType`; of an SMS `TEXT`.' }),
        text: Type.String({ description: 'Its text, caption or the title of the button; empty: it has none.' }),
        created: Timestamp(),
      },
      { title: 'RoutedContent' },
    ),
    config: Uuid('The routing config.'),
    route: Type.String({ description: 'The name of the route; `fallback`: none of them.' }),
    destination: Type.Enum(['WEBHOOK', 'CHATAPP', 'SMS', 'AGENT'], { description: 'The type of the destination.' }),
    to: Type.String({ description: 'The number or address it went to.' }),
    sent: Type.Optional(Uuid('The message or SMS that carried it; left out: it went to an address.')),
    problems: Type.Array(Type.Object({ route: Type.String(), problem: Type.String() }, { title: 'RouteProblem' }), {
      description: 'Routes that came first and could not be taken, and why.',
    }),
  },
  { title: 'RoutedMessage', description: 'Something that a person wrote, and where a routing config sent it.' },
);

export const inboundEvents = {
  'sms.routed': RoutedMessage,
  'chatapp.message.routed': RoutedMessage,
} satisfies EventData;
