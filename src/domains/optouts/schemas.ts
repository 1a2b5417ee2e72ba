import { type Static, Type } from 'typebox';
import { PageOf, Phone, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import type { EventData } from '../webhooks/index.ts';
import type { OptOutEventRow, OptOutRow } from './queries.ts';

export const Channel = Type.Enum(['ALL', 'CHATAPP', 'SMS', 'VOICE'], { title: 'OptOutChannel' });

export const OptOutCreate = Type.Object(
  {
    phone_number: Phone('Who opts out.'),
    channel: Type.Optional(Channel),
    text: Type.Optional(Type.String({ maxLength: 1000, description: 'Proof: what the person said or did.' })),
  },
  { title: 'OptOutCreate', description: 'Without a channel: all of them.' },
);
export type OptOutCreate = Static<typeof OptOutCreate>;

export const OptOutsCreate = Type.Object(
  {
    phone_numbers: Type.Array(Phone(), { minItems: 1, maxItems: 1000, description: 'Who opts out.' }),
    channel: Type.Optional(Channel),
    text: Type.Optional(Type.String({ maxLength: 1000, description: 'Proof: what the people said or did.' })),
  },
  { title: 'OptOutsCreate', description: 'Without a channel: all of them.' },
);

export const OptInCreate = Type.Object(
  {
    phone_number: Phone('Who agrees.'),
    channel: Type.Optional(Channel),
    text: Type.Optional(Type.String({ maxLength: 1000, description: 'Proof: what the person said or did.' })),
  },
  { title: 'OptInCreate', description: 'Without a channel: all of them.' },
);

export const OptOut = Type.Object(
  {
    uuid: Uuid(),
    phone_number: Type.String({ description: 'Empty: the person was erased; the opt-out holds all the same.' }),
    channel: Channel,
    source: Type.String({ description: 'How it came about, such as API.' }),
    text: Type.String(),
    created: Timestamp(),
  },
  { title: 'OptOut' },
);
export const OptOutPage = PageOf(OptOut, 'OptOutPage');
export const OptOuts = Type.Object(
  { results: Type.Array(OptOut, { description: 'The opt-outs, in the order of the request.' }) },
  { title: 'OptOuts' },
);

export const OptOutEvent = Type.Object(
  {
    uuid: Uuid(),
    action: Type.Enum(['OPT_OUT', 'OPT_IN']),
    phone_number: Type.String(),
    channel: Channel,
    source: Type.String(),
    text: Type.String(),
    created: Timestamp(),
  },
  { title: 'OptOutEvent' },
);
export const OptOutEventPage = PageOf(OptOutEvent, 'OptOutEventPage');

export const presentOptOut = (row: OptOutRow) => ({
  uuid: row.uuid,
  phone_number: row.phone_number,
  channel: row.channel,
  source: row.source,
  text: row.text,
  created: row.created,
});

export const presentOptOutEvent = ({ uuid, data, at }: OptOutEventRow) => ({
  uuid,
  action: data.action,
  phone_number: data.phone_number,
  channel: data.channel,
  source: data.source,
  text: data.text,
  created: at,
});

const { action, phone_number, channel, source, text } = OptOutEvent.properties;
const OptOutChange = Type.Object({ action, phone_number, channel, source, text }, { title: 'OptOutChange' });

export const optOutEvents = { 'optout.changed': OptOutChange } satisfies EventData;
