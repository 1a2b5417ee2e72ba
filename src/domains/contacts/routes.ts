import { Type } from 'typebox';
import { route } from '../../deps.ts';
import { notFound } from '../../platform/errors.ts';
import { csvHeaders } from '../../platform/http/files/csv.ts';
import { ManyResult, presentPage, UuidParams } from '../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../platform/http/route.ts';
import { withSought } from '../directory/index.ts';
import { changeContact, createContact, deleteContact, deleteContacts, replaceContact } from './change.ts';
import { columns, contactRows, sample } from './export.ts';
import { listRoutes } from './lists/routes.ts';
import { findContact, findCountry, findNames, listContacts } from './queries.ts';
import {
  Contact,
  ContactNames,
  ContactNamesQuery,
  ContactPage,
  ContactPatch,
  ContactQuery,
  ContactsToDelete,
  ContactWrite,
  presentContact,
} from './schemas.ts';

const tag = 'Contacts';
const url = '/v2/contacts/';
const one = `${url}:uuid/` as const;

export const routes = [
  route({
    method: 'GET',
    url,
    operationId: 'listContacts',
    summary: 'List contacts',
    tag,
    scope: 'contacts:read',
    query: ContactQuery,
    responses: { 200: ContactPage },
    csv: {
      name: 'contacts',
      columns,
      rows: ({ deps, accountId, query }) => contactRows(deps.db, accountId, query),
    },
    handler: async ({ deps, accountId, principal, query, url }) => {
      const country = await findCountry(deps.db, accountId);
      const filters = await withSought(deps.db, principal, query);
      return ok(presentPage(await listContacts(deps.db, accountId, filters, country), url(), presentContact));
    },
  }),
  route({
    method: 'POST',
    url,
    operationId: 'createContact',
    summary: 'Create a contact',
    tag,
    scope: 'contacts:write',
    body: ContactWrite,
    responses: { 201: Contact },
    example: {
      phone_number: '+44 7700 900141',
      name: 'Ana Lovelace',
      language_code: 'en_GB',
      time_zone: 'Europe/London',
      attributes: { city: 'London', orders: 3, member: true },
    },
    handler: async ({ deps, accountId, body }) => created(presentContact(await createContact(deps, accountId, body))),
  }),
  route({
    method: 'GET',
    url: `${url}sample/`,
    operationId: 'getContactSample',
    summary: 'Get a sample CSV file of contacts',
    tag,
    scope: 'contacts:read',
    responses: { 200: Type.Unsafe<string>({ type: 'string', contentMediaType: 'text/csv' }) },
    handler: async () => ({
      status: 200,
      body: sample,
      headers: csvHeaders('contacts-sample'),
    }),
  }),
  route({
    method: 'GET',
    url: `${url}names/`,
    operationId: 'listContactNames',
    summary: 'Look up the names of numbers',
    description:
      'One request for all numbers of a page. Numbers without a contact, and contacts without a name, are left out.',
    tag,
    scope: 'contacts:read',
    query: ContactNamesQuery,
    responses: { 200: ContactNames },
    handler: async ({ deps, accountId, principal, query }) =>
      ok({ results: await findNames(deps.db, accountId, query.number ?? [], principal.country) }),
  }),
  route({
    method: 'POST',
    url: `${url}delete/`,
    operationId: 'deleteContacts',
    summary: 'Delete up to 1,000 contacts',
    description: 'They are removed from their lists too. Their messages and opt-outs are kept.',
    tag,
    scope: 'contacts:write',
    body: ContactsToDelete,
    responses: { 200: ManyResult },
    example: { contacts: ['01936b5e-7c00-7000-8000-000000000001'] },
    handler: async ({ deps, accountId, body }) => ok(await deleteContacts(deps, accountId, body.contacts)),
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getContact',
    summary: 'Get a contact',
    tag,
    scope: 'contacts:read',
    params: UuidParams,
    responses: { 200: Contact },
    tagged: { without: ['modified'], row: 'contacts' },
    handler: async ({ deps, accountId, params }) => {
      const row = await findContact(deps.db, accountId, params.uuid);
      if (!row) throw notFound();
      return ok(presentContact(row));
    },
  }),
  route({
    method: 'PUT',
    url: one,
    operationId: 'replaceContact',
    summary: 'Replace a contact',
    description: 'Fields that are left out are cleared, except `lists`, which do not change.',
    tag,
    scope: 'contacts:write',
    params: UuidParams,
    body: ContactWrite,
    responses: { 200: Contact },
    example: { phone_number: '+44 7700 900142', name: 'Ana King', attributes: { city: 'Ockham' } },
    handler: async ({ deps, accountId, params, body }) =>
      ok(presentContact(await replaceContact(deps, accountId, params.uuid, body))),
  }),
  route({
    method: 'PATCH',
    url: one,
    operationId: 'updateContact',
    summary: 'Change a contact',
    description: '`attributes` are replaced as a whole.',
    tag,
    scope: 'contacts:write',
    params: UuidParams,
    body: ContactPatch,
    responses: { 200: Contact },
    example: { name: 'Ana King', time_zone: 'Europe/Paris' },
    handler: async ({ deps, accountId, params, body }) =>
      ok(presentContact(await changeContact(deps, accountId, params.uuid, body))),
  }),
  route({
    method: 'DELETE',
    url: one,
    operationId: 'deleteContact',
    summary: 'Delete a contact',
    description: 'The contact is removed from its lists too. Its messages and opt-outs are kept.',
    tag,
    scope: 'contacts:write',
    params: UuidParams,
    responses: { 204: null },
    handler: async ({ deps, accountId, params }) => {
      await deleteContact(deps, accountId, params.uuid);
      return noContent();
    },
  }),
  ...listRoutes,
];
