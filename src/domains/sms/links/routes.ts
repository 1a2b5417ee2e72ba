import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import { pageQuery } from '../../../platform/db/page.ts';
import { notFound } from '../../../platform/errors.ts';
import { withWarnings } from '../../../platform/http/header-values.ts';
import { presentPage, UuidParams } from '../../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../../platform/http/route.ts';
import { changeLink, createLink, deleteLink } from './change.ts';
import { findLinkRow, listLinks } from './queries.ts';
import { presentLink, SmsLinkCreate, SmsLinkModel, SmsLinkPage, SmsLinkUpdate } from './schemas.ts';

const tag = 'SMS links';
const url = '/v2/sms-links/';
const one = `${url}:uuid/` as const;

export const linkRoutes = [
  route({
    method: 'GET',
    url,
    operationId: 'listSmsLinks',
    summary: 'List SMS links',
    tag,
    scope: 'sms:read',
    query: Type.Object(pageQuery),
    responses: { 200: SmsLinkPage },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listLinks(deps.db, accountId, query), url(), presentLink)),
  }),
  route({
    method: 'POST',
    url,
    operationId: 'createSmsLink',
    summary: 'Connect to an SMSC',
    description: 'An account without links gets a sandbox link with its first SMS. The first real link disables it.',
    tag,
    scope: 'sms:write',
    body: SmsLinkCreate,
    responses: { 201: SmsLinkModel },
    example: { carrier: 'smpp', host: 'smsc.example.com', port: 2775, system_id: 'parley', password: 'secret' },
    handler: async ({ deps, accountId, body }) => {
      const { row, warnings } = await createLink(deps, accountId, body);
      return withWarnings(created(presentLink(row)), warnings);
    },
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getSmsLink',
    summary: 'Get a link',
    tag,
    scope: 'sms:read',
    params: UuidParams,
    responses: { 200: SmsLinkModel },
    tagged: { row: 'sms_links' },
    handler: async ({ deps, accountId, params }) => {
      const row = await findLinkRow(deps.db, accountId, params.uuid);
      if (!row) throw notFound();
      return ok(presentLink(row));
    },
  }),
  route({
    method: 'PATCH',
    url: one,
    operationId: 'updateSmsLink',
    summary: 'Change a link',
    tag,
    scope: 'sms:write',
    params: UuidParams,
    body: SmsLinkUpdate,
    responses: { 200: SmsLinkModel },
    example: { messages_per_second: 50, weight: 2 },
    handler: async ({ deps, accountId, params, body }) =>
      ok(presentLink(await changeLink(deps, accountId, params.uuid, body))),
  }),
  route({
    method: 'DELETE',
    url: one,
    operationId: 'deleteSmsLink',
    summary: 'Delete a link',
    description: 'Queued SMS wait for another link. Receipts for SMS that were sent over it can no longer arrive.',
    tag,
    scope: 'sms:write',
    params: UuidParams,
    responses: { 204: null },
    handler: async ({ deps, accountId, params }) => {
      await deleteLink(deps, accountId, params.uuid);
      return noContent();
    },
  }),
];
