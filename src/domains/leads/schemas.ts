import { type Static, Type } from 'typebox';
import { FreeForm, PageOf, Phone, Timestamp, Uuid, Uuids } from '../../platform/http/openapi/models.ts';
import { nullable } from '../../platform/http/validation/index.ts';
import type { EventData } from '../webhooks/index.ts';
import type { LeadRow } from './queries.ts';

export const LeadSubmit = Type.Object(
  {
    chatapp_number: Phone('The business number the person is interested in.'),
    phone_number: Phone('The person.'),
    name: Type.Optional(Type.String({ maxLength: 255 })),
    source: Type.Optional(Type.String({ maxLength: 255, description: 'Where the person came from.' })),
    chat_intro: Type.Optional(
      nullable(Uuid('The intro that the person is for: its session starts, as by the start operation.')),
    ),
    data: Type.Optional(FreeForm({ description: 'Whatever else is known; kept as it came.' })),
  },
  { title: 'LeadSubmit' },
);
export type LeadSubmit = Static<typeof LeadSubmit>;

export const LeadStatus = Type.Enum(['NEW', 'OPEN', 'WON', 'LOST'], { title: 'LeadStatus' });
export type LeadStatus = Static<typeof LeadStatus>;

/** What those who work on a lead write. */
const worked = {
  status: LeadStatus,
  owner: Type.String({ maxLength: 255, description: 'Who works on it: a name, an e-mail address, an agent.' }),
  notes: Type.String({ maxLength: 10_000 }),
  answers: FreeForm({ description: 'What the person answered: flows, buttons and rows.' }),
};

export const LeadPatch = Type.Partial(
  Type.Object({
    ...worked,
    name: Type.String({ maxLength: 255 }),
    source: Type.String({ maxLength: 255 }),
    data: FreeForm(),
  }),
  { title: 'LeadPatch' },
);
export type LeadPatch = Static<typeof LeadPatch>;

export const LeadsPatch = Type.Object(
  {
    leads: Uuids('The leads.'),
    status: Type.Optional(worked.status),
    owner: Type.Optional(worked.owner),
  },
  { title: 'LeadsPatch' },
);
export type LeadsPatch = Static<typeof LeadsPatch>;

export const LeadsToDelete = Type.Object({ leads: Uuids('The leads.') }, { title: 'LeadsToDelete' });

export const LeadRecord = Type.Object(
  {
    uuid: Uuid(),
    chatapp_number: Type.String(),
    phone_number: Type.String(),
    name: Type.String(),
    source: Type.String(),
    chat_intro: nullable(Uuid()),
    data: FreeForm(),
    ...worked,
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
  status: row.status,
  owner: row.owner,
  notes: row.notes,
  answers: row.answers,
  created: row.created,
  modified: row.modified,
});

export const leadEvents = {
  'chatapp.lead.created': LeadRecord,
  'chatapp.lead.updated': LeadRecord,
} satisfies EventData;
