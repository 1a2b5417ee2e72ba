import { type Static, Type } from 'typebox';
import { orderedBy, pageQuery } from '../../platform/db/page.ts';
import { PageOf, Phone, Timestamp, Uuid, Uuids } from '../../platform/http/openapi/models.ts';
import { aliasOf, record } from '../../platform/http/validation/index.ts';
import { searchQuery } from '../directory/index.ts';
import type { ContactRow } from './queries.ts';

export const limits = { name: 255, attributes: 50, attributeName: 64, attributeValue: 1000, lists: 100 };

export type AttributeValue = string | number | boolean;

export const AttributeValue = Type.Unsafe<AttributeValue>({
  type: ['string', 'number', 'boolean'],
  maxLength: limits.attributeValue,
});
const Attributes = record(AttributeValue, {
  maxProperties: limits.attributes,
  propertyNames: {
    type: 'string',
    minLength: 1,
    maxLength: limits.attributeName,
    'x-message': 'A name has 1 to 64 characters.',
  },
  description: 'Whatever else is known: texts, numbers and booleans by name.',
});
export const languagePattern = '^([a-z]{2,3}(_[A-Za-z0-9]{2,8})?)?$';

const details = {
  name: Type.String({ maxLength: limits.name }),
  language_code: Type.String({
    pattern: languagePattern,
    'x-message': 'Enter a language code such as en_GB.',
    description: 'Empty where it is not known.',
  }),
  time_zone: Type.String({
    maxLength: 64,
    description: 'IANA, such as Europe/London. Empty: that of the number.',
    examples: ['Europe/London'],
  }),
  attributes: Attributes,
  lists: Type.Array(Uuid(), {
    maxItems: limits.lists,
    description: 'The lists that the contact is on. Left out: they stay as they are.',
  }),
};
const changeable = Type.Partial(Type.Object(details)).properties;
const number = Phone('The contact’s key, in any notation.');

export const ContactWrite = Type.Object({ phone_number: number, ...changeable }, { title: 'ContactWrite' });
export type ContactWrite = Static<typeof ContactWrite>;

export const ContactPatch = Type.Object(
  { phone_number: Type.Optional(number), ...changeable },
  { title: 'ContactPatch' },
);
export type ContactPatch = Static<typeof ContactPatch>;

export const Contact = Type.Object(
  {
    uuid: Uuid(),
    phone_number: Type.String(),
    name: Type.String(),
    language_code: Type.String(),
    time_zone: Type.String(),
    attributes: Attributes,
    lists: Type.Array(Uuid()),
    created: Timestamp(),
    modified: Timestamp(),
  },
  { title: 'Contact' },
);
export const ContactPage = PageOf(Contact, 'ContactPage');

export const ContactQuery = Type.Object({
  ...pageQuery,
  ...orderedBy('name'),
  phone_number: Type.Optional(Phone('In any notation.')),
  name: Type.Optional(Type.String({ maxLength: limits.name, description: 'How the name begins, in any case.' })),
  language_code: Type.Optional(Type.String({ maxLength: 20 })),
  list: Type.Optional(Uuid('Only those who are on this list.')),
  lists: aliasOf('list', Uuid()),
  attribute: Type.Optional(
    Type.Array(Type.String({ maxLength: 1100 }), {
      maxItems: 20,
      description: '`name:value`, compared as text. May be repeated; all must hold.',
    }),
  ),
  q: Type.Optional(
    Type.String({ maxLength: 200, description: 'How words of the name begin, or how the number begins.' }),
  ),
  ...searchQuery,
});
export type ContactQuery = Static<typeof ContactQuery>;

export const ContactNamesQuery = Type.Object({
  number: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: 100,
      description: 'A number in any notation. May be repeated.',
    }),
  ),
});

export const ContactName = Type.Object(
  {
    number: Type.String({ description: 'As it was asked for.' }),
    contact: Uuid(),
    name: Type.String(),
  },
  { title: 'ContactName' },
);
export const ContactsToDelete = Type.Object({ contacts: Uuids('The contacts.') }, { title: 'ContactsToDelete' });

export const ContactNames = Type.Object({ results: Type.Array(ContactName) }, { title: 'ContactNames' });

export const presentContact = (row: ContactRow) => ({
  uuid: row.uuid,
  phone_number: row.phone_number,
  name: row.name,
  language_code: row.language_code,
  time_zone: row.time_zone,
  attributes: row.attributes,
  lists: row.lists,
  created: row.created,
  modified: row.modified,
});
