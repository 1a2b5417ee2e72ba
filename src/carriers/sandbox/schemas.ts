import { type Static, Type } from 'typebox';
import { ValidationError } from '../../platform/errors.ts';
import { FreeForm, PageOf, Phone, Recipient, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import type { Principal } from '../../platform/http/route.ts';
import { nullable } from '../../platform/http/validation/index.ts';
import { withCountry } from '../../platform/phone.ts';
import { furthestAheadSeconds } from './clock.ts';
import { type FaultKind, type FaultRow, faults } from './faults.ts';

export const ClockMove = Type.Object(
  {
    advance_seconds: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: furthestAheadSeconds,
        description: 'Steps the time forward by so much. It can be ten years ahead of the real time.',
      }),
    ),
    speed: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 86_400,
        description: 'How many seconds pass in one real second from here on.',
      }),
    ),
    reset: Type.Optional(
      Type.Boolean({
        description:
          'true, by itself: back to the real time and the normal speed. What phones have still to do moves along; what else waits for a ' +
          'moment of the sandbox waits until that moment comes.',
      }),
    ),
  },
  { title: 'SandboxClockMove', description: 'A step, a speed, or both; or else `reset`.' },
);

export const SandboxClock = Type.Object(
  {
    now: Timestamp("The time in this account's sandbox."),
    speed: Type.Number(),
    ahead_seconds: Type.Number({ description: 'How far it is ahead of the real time; negative: behind it.' }),
  },
  { title: 'SandboxClock' },
);

export const PhoneParams = Type.Object({ number: Recipient() });

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
    uuid: Uuid('The message, as in `/v2/chatapp/messages/` or `/v2/sms-records/`.'),
    direction: Type.Enum(['OUTBOUND', 'INBOUND'], { description: 'OUTBOUND: to this phone. INBOUND: written by it.' }),
    chatapp_number: Type.String({ description: 'Our side: the number, or the name that an SMS came from.' }),
    type: Type.String({ description: 'As in `/v2/chatapp/messages/`, or SMS.' }),
    status: Type.Enum(['SENT', 'DELIVERED', 'READ', 'FAILED'], {
      description: 'What the phone has reported of a message to it. What was written on it is DELIVERED.',
    }),
    status_description: Type.String({ description: 'Why it failed.' }),
    context: nullable(
      Type.Object(
        {
          message_uuid: Uuid(),
          direction: nullable(Type.String({ description: 'null: that message is not on the phone any more.' })),
          type: nullable(Type.String()),
          text: Type.String(),
        },
        { description: 'The message that is quoted.' },
      ),
    ),
    reactions: Type.Array(Type.Object({ direction: Type.String(), emoji: Type.String() }), {
      description: 'To this message: at most one of each side, the latest.',
    }),
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
    media: nullable(
      FreeForm({
        description: '`{url, filename?}`; the caption is the text. The url of an uploaded file leads to this server.',
      }),
    ),
    location: nullable(FreeForm({ description: '`{latitude, longitude, name?, address?}`' })),
    contacts: Type.Array(FreeForm()),
    reaction: nullable(FreeForm({ description: '`{message_uuid, emoji}`; an empty emoji takes the reaction back.' })),
    flow: nullable(
      Type.Object(
        {
          flow_id: nullable(
            Type.String({ description: 'Its form is at `/v2/sandbox/flows/{flow_id}/`; null: not known.' }),
          ),
          name: Type.String(),
          flow_token: Type.String(),
          screen: Type.String({ description: 'The one it begins with; empty: its first.' }),
          data: FreeForm({ description: 'What that screen starts with.' }),
        },
        { description: 'The form that a button of the message opens.' },
      ),
    ),
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

export const FlowParams = Type.Object({ flow_id: Type.String({ minLength: 1, maxLength: 64 }) });

export const SandboxFlow = Type.Object(
  {
    flow_id: Type.String(),
    name: Type.String(),
    definition: nullable(FreeForm({ description: "The flow's JSON, as the platform defines it; null: it has none." })),
  },
  { title: 'SandboxFlow', description: 'A form as a phone draws it.' },
);

const optional = Type.Optional;
const text = (most: number) => Type.String({ minLength: 1, maxLength: most });
const Tapped = Type.Object({
  id: text(256),
  title: optional(Type.String({ maxLength: 255, description: 'Without it, the words that stand on the phone.' })),
});

export const PersonMessage = Type.Object(
  {
    from: Recipient('The person who writes: a number, or the id of one who hides theirs.'),
    to: Phone('The chat-app account it goes to. A number that nobody registered is taken into use.'),
    name: optional(Type.String({ maxLength: 255, description: 'What the person calls themselves.' })),
    text: optional(Type.Object({ body: text(4096) })),
    button: optional(Tapped),
    list: optional(Type.Object({ ...Tapped.properties, description: optional(Type.String({ maxLength: 255 })) })),
    flow: optional(
      Type.Object({
        answers: FreeForm({ description: 'What the person filled in, by field.' }),
        flow_token: optional(
          Type.String({ maxLength: 512, description: 'For a flow that did not come in a message of ours.' }),
        ),
      }),
    ),
    media: optional(
      Type.Object({
        type: Type.Enum(['IMAGE', 'VIDEO', 'AUDIO', 'DOCUMENT', 'STICKER']),
        url: Type.String({ format: 'uri', maxLength: 2048 }),
        mime_type: optional(text(255)),
        caption: optional(Type.String({ maxLength: 1024 })),
        filename: optional(text(240)),
      }),
    ),
    location: optional(
      Type.Object({
        latitude: Type.Number({ minimum: -90, maximum: 90 }),
        longitude: Type.Number({ minimum: -180, maximum: 180 }),
        name: optional(Type.String({ maxLength: 1000 })),
        address: optional(Type.String({ maxLength: 1000 })),
      }),
    ),
    reaction: optional(
      Type.Object({
        message_uuid: Uuid('The message reacted to; it must be on the phone.'),
        emoji: Type.String({ maxLength: 40, description: 'Empty takes the reaction back.' }),
      }),
    ),
    context: optional(
      Type.Object({
        message_uuid: Uuid(
          'The message it answers; it must be on the phone. Taps find it by themselves: the latest that had the button.',
        ),
      }),
    ),
  },
  { title: 'SandboxPersonMessage', description: 'Exactly one of text, button, list, flow, media, location, reaction.' },
);
export type PersonMessage = Static<typeof PersonMessage>;

export const PersonSms = Type.Object(
  {
    from: Phone('The person who writes.'),
    to: Phone('The number it goes to.'),
    text: Type.String({ minLength: 1, maxLength: 1530 }),
  },
  { title: 'SandboxPersonSms' },
);

const kinds = Object.keys(faults) as FaultKind[];
const faultFields = {
  carrier: Type.Enum(['sandbox']),
  kind: Type.Enum(kinds, { description: kinds.map((kind) => `\`${kind}\`: ${faults[kind].title}`).join('; ') }),
};

export const FaultCreate = Type.Object(
  {
    ...faultFields,
    count: optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'How many messages; 1.' })),
  },
  { title: 'SandboxFaultCreate' },
);

export const SandboxFault = Type.Object(
  {
    uuid: Uuid(),
    ...faultFields,
    count: Type.Integer(),
    left: Type.Integer({ description: 'How many messages it has still to happen to.' }),
    created: Timestamp(),
  },
  { title: 'SandboxFault' },
);
export const SandboxFaultPage = PageOf(SandboxFault, 'SandboxFaultPage');

export const presentFault = ({ uuid, kind, count, remaining, created }: FaultRow) => ({
  uuid,
  carrier: 'sandbox',
  kind,
  count,
  left: remaining,
  created,
});

/** Somebody wrote to, or called, a number that real people write to or call. */
export const notOnSandbox = () => new ValidationError({ to: ['This number is not on the sandbox.'] });

/** Between whom something goes that is played here. A carrier names numbers with their country, however they were written. */
export const partiesOf = ({ from, to }: { from: string; to: string }, { country }: Principal) => ({
  from: withCountry(from, country),
  to: withCountry(to, country),
});
