import { type Static, Type } from 'typebox';
import { PageOf, Phone, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import type { CountedList } from './change.ts';

const mostPeople = 1000;

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '\\S',
    'x-message': 'This field may not be blank.',
    description: 'One list of the account has it, whatever the case.',
  }),
  description: Type.String({ maxLength: 1000 }),
};

export const ListWrite = Type.Object(
  { name: fields.name, description: Type.Optional(fields.description) },
  { title: 'ContactListWrite' },
);
export type ListWrite = Static<typeof ListWrite>;
export const ListPatch = Type.Partial(Type.Object(fields), { title: 'ContactListPatch' });
export type ListPatch = Static<typeof ListPatch>;

export const List = Type.Object(
  {
    uuid: Uuid(),
    name: Type.String(),
    description: Type.String(),
    contact_count: Type.Integer({ description: 'How many are on it.' }),
    created: Timestamp(),
    modified: Timestamp(),
  },
  { title: 'ContactList' },
);
export const ListPage = PageOf(List, 'ContactListPage');

const people = {
  contacts: Type.Optional(Type.Array(Uuid(), { minItems: 1, maxItems: mostPeople })),
  phone_numbers: Type.Optional(Type.Array(Phone(), { minItems: 1, maxItems: mostPeople })),
};
export const Members = Type.Object(people, { title: 'ListMembers', description: 'Either contacts or phone numbers.' });
export type Members = Static<typeof Members>;

export const MembersToRemove = Type.Object(
  { ...people, all: Type.Optional(Type.Boolean({ description: 'true: everybody.' })) },
  { title: 'ListMembersToRemove', description: 'Contacts, phone numbers, or all.' },
);
export type MembersToRemove = Static<typeof MembersToRemove>;

const contact_count = Type.Integer({ description: 'How many are on the list now.' });
export const MembersAdded = Type.Object(
  {
    added: Type.Integer({ description: 'Those who were not on the list.' }),
    created: Type.Integer({ description: 'Contacts that were made of numbers.' }),
    contact_count,
  },
  { title: 'ListMembersAdded' },
);
export const MembersRemoved = Type.Object(
  { removed: Type.Integer({ description: 'Those who were on the list.' }), contact_count },
  { title: 'ListMembersRemoved' },
);

export const presentList = ({ uuid, name, description, contact_count, created, modified }: CountedList) => ({
  uuid,
  name,
  description,
  contact_count,
  created,
  modified,
});
