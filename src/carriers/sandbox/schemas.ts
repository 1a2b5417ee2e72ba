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

const Buttons = Type.Array(
  Type.Object({
    type: Type.String(),
    title: Type.String(),
    id: Type.String({ description: 'What a tap on a reply button answers with.' }),
    value: Type.String({ description: 'The link, flow, payload or code behind the button.' }),
  }),
);
const Header = nullable(FreeForm({ description: '`{type, text}`, or the media with its url.' }));
const Rows = Type.Array(Type.Object({ id: Type.String(), title: Type.String(), description: Type.String() }));

export const PhoneMessage = Type.Object(
  {
    uuid: Uuid('The message, as in `/v2/chatapp/messages/`.'),
    direction: Type.Enum(['OUTBOUND', 'INBOUND'], { description: 'OUTBOUND: to this phone. INBOUND: written by it.' }),
    chatapp_number: Type.String(),
    type: Type.String(),
    header: Header,
    text: Type.String({ description: 'What the person reads, filled in.' }),
    footer: Type.String(),
    buttons: Buttons,
    list: nullable(
      Type.Object(
        {
          title: Type.String({ description: 'On the button that opens it.' }),
          sections: Type.Array(Type.Object({ title: Type.String(), rows: Rows })),
        },
        { description: 'What the person may choose from.' },
      ),
    ),
    media: nullable(FreeForm({ description: '`{url, filename?}`; the caption is the text.' })),
    location: nullable(FreeForm({ description: '`{latitude, longitude, name?, address?}`' })),
    contacts: Type.Array(FreeForm()),
    reaction: nullable(FreeForm({ description: '`{message_uuid, emoji}`; an empty emoji takes the reaction back.' })),
    offer_ends: nullable(Timestamp('Until when a limited-time offer stands.')),
    cards: Type.Array(Type.Object({ header: Header, text: Type.String(), buttons: Buttons }), {
      description: 'The cards of a carousel, in their order.',
    }),
    created: Timestamp(),
  },
  { title: 'SandboxPhoneMessage' },
);
export const PhonePage = PageOf(PhoneMessage, 'SandboxPhonePage');
export type PhoneMessage = Static<typeof PhoneMessage>;
