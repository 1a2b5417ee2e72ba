import { Type } from 'typebox';
import { route } from '../../deps.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { Phone, presentPage, Uuid } from '../../platform/http/openapi/models.ts';
import { created, ok } from '../../platform/http/route.ts';
import { aliasOf } from '../../platform/http/validation/index.ts';
import { listLeads } from './queries.ts';
import { LeadPage, LeadRecord, LeadSubmit, presentLead } from './schemas.ts';
import { submitLead } from './submit.ts';

const tag = 'Leads';

export const routes = [
  route({
    method: 'POST',
    url: '/v2/chatapp/leads/',
    operationId: 'submitLead',
    summary: 'Submit a number',
    tag,
    scope: 'chatapp:write',
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
    handler: async ({ deps, accountId, body }) => created(presentLead(await submitLead(deps, accountId, body))),
  }),
  route({
    method: 'GET',
    url: '/v2/chatapp/leads/',
    operationId: 'listLeads',
    summary: 'List leads, all or by number',
    tag,
    scope: 'chatapp:read',
    query: Type.Object({
      ...pageQuery,
      number: Type.Optional(Phone()),
      phone_number: aliasOf('number', Phone()),
      chat_intro: Type.Optional(Uuid()),
    }),
    responses: { 200: LeadPage },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listLeads(deps.db, accountId, query), url(), presentLead)),
  }),
];
