import { type Static, Type } from 'typebox';
import { FreeForm, PageOf, Phone, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { nullable } from '../../platform/http/validation/index.ts';
import type { LeadRow } from './queries.ts';

export const LeadSubmit = Type.Object(
  {
    chatapp_number: Phone('The business number the person is interested in.'),
    phone_number: Phone('The person.'),
    name: Type.Optional(Type.String({ maxLength: 255 })),
    source: Type.Optional(Type.String({ maxLength: 255, description: 'Where the person came from.' })),
    chat_intro: Type.Optional(nullable(Uuid('The intro that brought the person.'))),
    data: Type.Optional(FreeForm({ description: 'Whatever else is known; kept as it came.' })),
  },
  { title: 'LeadSubmit' },
);
export type LeadSubmit = Static<typeof LeadSubmit>;

export const LeadRecord = Type.Object(
  {
    uuid: Uuid(),
    chatapp_number: Type.String(),
    phone_number: Type.String(),
    name: Type.String(),
    source: Type.String(),
    chat_intro: nullable(Uuid()),
    data: FreeForm(),
    created: Timestamp(),
    modified: Timestamp(),
  },
  { title: 'LeadRecord' },
);
export const LeadPage = PageOf(LeadRecord, 'LeadPage');

export const presentLead = (row: LeadRow) => ({
  uuid: row.uuid,
  chatapp_number: row.chatapp_number,
  phone_number: row.phone_number,
  name: row.name,
  source: row.source,
  chat_intro: row.chat_intro,
  data: row.data,
  created: row.created,
  modified: row.modified,
});
