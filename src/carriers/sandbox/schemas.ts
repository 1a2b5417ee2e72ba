import { type Static, Type } from 'typebox';
import { FreeForm, PageOf, Phone, Timestamp, Uuid } from '../../platform/http/models.ts';
import { nullable } from '../../platform/http/validation/index.ts';

const tenYearsSeconds = 10 * 366 * 86_400;

export const ClockMove = Type.Object(
  {
    advance_seconds: Type.Optional(
      Type.Number({ minimum: 0, maximum: tenYearsSeconds, description: 'Steps the time forward by so much.' }),
    ),
    speed: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 86_400,
        description: 'How many seconds pass in one real second from here on.',
      }),
    ),
  },
  { title: 'SandboxClockMove', description: 'One of the two, or both.' },
);

export const SandboxClock = Type.Object(
  { now: Timestamp("The time in this account's sandbox."), speed: Type.Number() },
  { title: 'SandboxClock' },
);

export const PhoneParams = Type.Object({ number: Phone() });

export const PhoneMessage = Type.Object(
  {
    uuid: Uuid('The message, as in `/v2/chatapp/messages/`.'),
    direction: Type.Enum(['OUTBOUND', 'INBOUND'], { description: 'OUTBOUND: to this phone. INBOUND: written by it.' }),
    chatapp_number: Type.String(),
    type: Type.String(),
    header: nullable(FreeForm({ description: '`{type, text}`, or the media with its url.' })),
    text: Type.String({ description: 'What the person reads, filled in.' }),
    buttons: Type.Array(Type.Object({ type: Type.String(), title: Type.String(), value: Type.String() })),
    contacts: Type.Array(FreeForm()),
    created: Timestamp(),
  },
  { title: 'SandboxPhoneMessage' },
);
export const PhonePage = PageOf(PhoneMessage, 'SandboxPhonePage');
export type PhoneMessage = Static<typeof PhoneMessage>;
