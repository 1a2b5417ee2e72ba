import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import { orderedBy, pageQuery } from '../../../platform/db/page.ts';
import { presentPage, UuidParams } from '../../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../../platform/http/route.ts';
import { searchQuery, withSought } from '../../directory/index.ts';
import { listContacts } from '../queries.ts';
import { ContactPage, presentContact } from '../schemas.ts';
import {
  addMembers,
  changeList,
  createList,
  deleteList,
  getList,
  removeMembers,
  requireList,
  withCounts,
} from './change.ts';
import { listLists } from './queries.ts';
import {
  List,
  ListPage,
  ListPatch,
  ListWrite,
  Members,
  MembersAdded,
  MembersRemoved,
  MembersToRemove,
  presentList,
} from './schemas.ts';

const tag = 'Lists';
const url = '/v2/lists/';
const one = `${url}:uuid/` as const;
const members = `${one}contacts/` as const;
const scopes = { read: 'contacts:read', write: 'contacts:write' } as const;

export const listRoutes = [
  route({
    method: 'GET',
    url,
    operationId: 'listLists',
    summary: 'List contact lists',
    tag,
    scope: scopes.read,
    query: Type.Object({
      ...pageQuery,
      ...orderedBy('name'),
      name: Type.Optional(Type.String({ maxLength: 200, description: 'The whole name, in any case.' })),
      ...searchQuery,
    }),
    responses: { 200: ListPage },
    handler: async ({ deps, accountId, principal, query, url }) => {
      const page = await listLists(deps.db, accountId, await withSought(deps.db, principal, query));
      const rows = await withCounts(deps.db, accountId, page.rows);
      return ok(presentPage({ ...page, rows }, url(), presentList));
    },
  }),
  route({
    method: 'POST',
    url,
    operationId: 'createList',
    summary: 'Create a list',
    tag,
    scope: scopes.write,
    body: ListWrite,
    responses: { 201: List },
    example: { name: 'Newsletter', description: 'Asked for it on the website' },
    handler: async ({ deps, accountId, body }) => created(presentList(await createList(deps, accountId, body))),
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getList',
    summary: 'Get a list',
    tag,
    scope: scopes.read,
    params: UuidParams,
    responses: { 200: List },
    tagged: { without: ['contact_count', 'modified'], row: 'lists' },
    handler: async ({ deps, accountId, params }) => ok(presentList(await getList(deps.db, accountId, params.uuid))),
  }),
  route({
    method: 'PUT',
    url: one,
    operationId: 'replaceList',
    summary: 'Replace the name and description of a list',
    tag,
    scope: scopes.write,
    params: UuidParams,
    body: ListWrite,
    responses: { 200: List },
    example: { name: 'Newsletter of spring' },
    handler: async ({ deps, accountId, params, body }) =>
      ok(presentList(await changeList(deps, accountId, params.uuid, { description: '', ...body }))),
  }),
  route({
    method: 'PATCH',
    url: one,
    operationId: 'updateList',
    summary: 'Change the name or description of a list',
    tag,
    scope: scopes.write,
    params: UuidParams,
    body: ListPatch,
    responses: { 200: List },
    example: { description: 'Asked for it in the shop' },
    handler: async ({ deps, accountId, params, body }) =>
      ok(presentList(await changeList(deps, accountId, params.uuid, body))),
  }),
  route({
    method: 'DELETE',
    url: one,
    operationId: 'deleteList',
    summary: 'Delete a list',
    description: 'The contacts stay. A running campaign continues.',
    tag,
    scope: scopes.write,
    params: UuidParams,
    responses: { 204: null },
    handler: async ({ deps, accountId, params }) => {
      await deleteList(deps, accountId, params.uuid);
      return noContent();
    },
  }),
  route({
    method: 'GET',
    url: members,
    operationId: 'listMembers',
    summary: 'List the contacts on a list',
    tag,
    scope: scopes.read,
    params: UuidParams,
    query: Type.Object({ ...pageQuery, ...orderedBy('name'), ...searchQuery }),
    responses: { 200: ContactPage },
    handler: async ({ deps, accountId, principal, params, query, url }) => {
      await requireList(deps.db, accountId, params.uuid);
      const filters = { ...(await withSought(deps.db, principal, query)), list: params.uuid };
      const page = await listContacts(deps.db, accountId, filters, '');
      return ok(presentPage(page, url(), presentContact));
    },
  }),
  route({
    method: 'POST',
    url: members,
    operationId: 'addMembers',
    summary: 'Add people to a list',
    description: 'By contact or by phone number. A number without a contact creates one.',
    tag,
    scope: scopes.write,
    params: UuidParams,
    body: Members,
    responses: { 200: MembersAdded },
    example: { phone_numbers: ['+44 7700 900151', '+44 7700 900152'] },
    handler: async ({ deps, accountId, params, body }) => ok(await addMembers(deps, accountId, params.uuid, body)),
  }),
  route({
    method: 'DELETE',
    url: members,
    operationId: 'removeMembers',
    summary: 'Remove people from a list',
    tag,
    scope: scopes.write,
    params: UuidParams,
    body: MembersToRemove,
    responses: { 200: MembersRemoved },
    example: { phone_numbers: ['+44 7700 900151'] },
    handler: async ({ deps, accountId, params, body }) => ok(await removeMembers(deps, accountId, params.uuid, body)),
  }),
];
