import { Type } from 'typebox';
import { route } from '../../deps.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { notFound } from '../../platform/errors.ts';
import { ManyResult, Phone, presentPage, Uuid, UuidParams } from '../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../platform/http/route.ts';
import { aliasOf } from '../../platform/http/validation/index.ts';
import { searchQuery, withSought } from '../directory/index.ts';
import { patchLead, patchLeads, removeLead, removeLeads } from './change.ts';
import { findLead, listLeads, readLeads } from './queries.ts';
import {
  LeadPage,
  LeadPatch,
  LeadRecord,
  LeadStatus,
  LeadSubmit,
  LeadsPatch,
  LeadsToDelete,
  presentLead,
} from './schemas.ts';
import { type StartIntro, submitLead } from './submit.ts';

const tag = 'Leads';

/** `startIntro` is how a lead that names an intro meets it. */
export const makeLeadRoutes = (startIntro: StartIntro) => [
  route({
    method: 'POST',
    url: '/v2/chatapp/leads/',
    operationId: 'submitLead',
    summary: 'Submit a number',
    tag,
    scope: 'leads:write',
    audit: false,
    body: LeadSubmit,
    responses: { 201: LeadRecord },
    example: {
      chatapp_number: '+44 7700 900001',
      phone_number: '+44 7700 900123',
      name: 'Ana',
      source: 'Listing 48213',
      data: { budget: '1250000' },
    },
    handler: async ({ deps, accountId, body }) =>
      created(presentLead(await submitLead(deps, accountId, body, startIntro))),
  }),
  route({
    method: 'GET',
    url: '/v2/chatapp/leads/',
    operationId: 'listLeads',
    summary: 'List leads, all or by number',
    tag,
    scope: 'leads:read',
    query: Type.Object({
      ...pageQuery,
      number: Type.Optional(Phone()),
      phone_number: aliasOf('number', Phone()),
      chat_intro: Type.Optional(Uuid()),
      status: Type.Optional(LeadStatus),
      owner: Type.Optional(Type.String({ maxLength: 255 })),
      source: Type.Optional(Type.String({ maxLength: 255, description: 'Where the person came from.' })),
      ...searchQuery,
    }),
    responses: { 200: LeadPage },
    csv: {
      name: 'leads',
      columns: Object.keys(LeadRecord.properties),
      async *rows({ deps, accountId, principal, query }) {
        const filters = await withSought(deps.db, principal, query);
        for await (const rows of readLeads(deps.db, accountId, filters)) yield rows.map(presentLead);
      },
    },
    handler: async ({ deps, accountId, principal, query, url }) => {
      const filters = await withSought(deps.db, principal, query);
      return ok(presentPage(await listLeads(deps.db, accountId, filters), url(), presentLead));
    },
  }),
  route({
    method: 'POST',
    url: '/v2/chatapp/leads/update/',
    operationId: 'updateLeads',
    summary: 'Change the status or owner of up to 1,000 leads',
    tag,
    scope: 'leads:write',
    body: LeadsPatch,
    responses: { 200: ManyResult },
    example: { leads: ['01936b5e-7c00-7000-8000-000000000001'], status: 'WON' },
    handler: async ({ deps, accountId, body }) => ok(await patchLeads(deps, accountId, body)),
  }),
  route({
    method: 'POST',
    url: '/v2/chatapp/leads/delete/',
    operationId: 'deleteLeads',
    summary: 'Delete up to 1,000 leads',
    tag,
    scope: 'leads:write',
    body: LeadsToDelete,
    responses: { 200: ManyResult },
    example: { leads: ['01936b5e-7c00-7000-8000-000000000001'] },
    handler: async ({ deps, accountId, body }) => ok(await removeLeads(deps, accountId, body.leads)),
  }),
  route({
    method: 'GET',
    url: '/v2/chatapp/leads/:uuid/',
    operationId: 'getLead',
    summary: 'Get a lead',
    tag,
    scope: 'leads:read',
    params: UuidParams,
    responses: { 200: LeadRecord },
    tagged: { without: ['modified'], row: 'leads' },
    handler: async ({ deps, accountId, params }) => {
      const row = await findLead(deps.db, accountId, params.uuid);
      if (!row) throw notFound();
      return ok(presentLead(row));
    },
  }),
  route({
    method: 'PATCH',
    url: '/v2/chatapp/leads/:uuid/',
    operationId: 'updateLead',
    summary: 'Change the named fields of a lead',
    tag,
    scope: 'leads:write',
    params: UuidParams,
    body: LeadPatch,
    responses: { 200: LeadRecord },
    example: { status: 'OPEN', owner: 'ada@example.com', notes: 'Viewing on Friday.' },
    handler: async ({ deps, accountId, params, body }) =>
      ok(presentLead(await patchLead(deps, accountId, params.uuid, body))),
  }),
  route({
    method: 'DELETE',
    url: '/v2/chatapp/leads/:uuid/',
    operationId: 'deleteLead',
    summary: 'Delete a lead',
    tag,
    scope: 'leads:write',
    params: UuidParams,
    responses: { 204: null },
    handler: async ({ deps, accountId, params }) => {
      await removeLead(deps, accountId, params.uuid);
      return noContent();
    },
  }),
];
