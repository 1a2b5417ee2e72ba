import { type Static, Type } from 'typebox';
import { pageQuery } from '../../../platform/db/page.ts';
import { FreeForm, PageOf, Phone, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import type { NumberEventRow } from './queries.ts';

const NumberEvent = Type.Enum(['number.assigned', 'number.updated', 'number.released'], { title: 'NumberEvent' });

export const RawNumberFilter = Type.Object({
  ...pageQuery,
  number: Type.Optional(Phone('In any notation.')),
  event: Type.Optional(NumberEvent),
});
export type RawNumberFilter = Static<typeof RawNumberFilter>;

export const RawNumberLog = Type.Object(
  {
    uuid: Uuid(),
    number: Type.String(),
    event: NumberEvent,
    changed: Type.Array(Type.String(), { description: 'The names of the fields that an update changed.' }),
    data: FreeForm({ description: 'All that was noted.' }),
    created: Timestamp(),
  },
  { title: 'RawNumberLog' },
);
export const RawNumberLogPage = PageOf(RawNumberLog, 'RawNumberLogPage');

export const presentRawNumber = ({ uuid, kind, data, at }: NumberEventRow) => ({
  uuid,
  number: data.number,
  event: kind,
  changed: data.changed ?? [],
  data,
  created: at,
});

const date = (description: string) => Type.String({ format: 'date', description });

export const BillableFilter = Type.Object({
  page_size: pageQuery.page_size,
  cursor: pageQuery.cursor,
  ordering: Type.Enum(['-issued_date', 'issued_date'], {
    default: '-issued_date',
    description: 'Numbers and their periods, newest or oldest first.',
  }),
  number: Type.Optional(Phone('In any notation.')),
  period_after: Type.Optional(date('Only periods that begin on or after this day.')),
  period_before: Type.Optional(date('Only periods that begin before this day.')),
});
export type BillableFilter = Static<typeof BillableFilter>;

export const BillableNumber = Type.Object(
  {
    number: Type.String(),
    country: Type.String(),
    issued_date: Timestamp(),
    released_date: nullable(Timestamp('null: the account has it.')),
    period_start: date('First day of the month that is billed, UTC.'),
    period_end: date('Its last day.'),
    days_active: Type.Integer({ description: 'Days of the period on which the account had the number, so far.' }),
    price: Type.String({ description: 'Of the month, whole, however many days.', examples: ['1.00'] }),
  },
  { title: 'BillableNumber' },
);
export const BillableNumberPage = PageOf(BillableNumber, 'BillableNumberPage');
