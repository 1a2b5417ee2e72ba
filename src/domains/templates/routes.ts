import type { Static } from 'typebox';
import { route } from '../../deps.ts';
import { notFound } from '../../platform/errors.ts';
import { presentPage, UuidParams } from '../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../platform/http/route.ts';
import { withCountry } from '../../platform/phone.ts';
import { withSought } from '../directory/index.ts';
import { createTemplate, deleteTemplate, requestSync, updateTemplateDefinition } from './change.ts';
import { findTemplate, listTemplates } from './queries.ts';
import {
  MessageTemplate,
  MessageTemplateCreate,
  MessageTemplatePage,
  MessageTemplateUpdate,
  presentTemplate,
  TemplateQuery,
  TemplateSync,
  TemplateSyncStarted,
} from './schemas.ts';

const tag = 'Message templates';
const url = '/v2/chatapp/message-templates/';
const one = `${url}:uuid/` as const;

const body = {
  type: 'BODY',
  text: 'Hello {{1}}, your viewing on {{2}} is confirmed.',
  example: { body_text: [['Ana', '3 May at 10:00']] },
};

export const routes = [
  route({
    method: 'GET',
    url,
    operationId: 'listMessageTemplates',
    summary: 'List message templates',
    tag,
    scope: 'inbox:read',
    query: TemplateQuery,
    responses: { 200: MessageTemplatePage },
    bound: { numbers: ({ query }) => [query.chatapp_number] },
    handler: async ({ deps, accountId, principal, query, url }) => {
      const filters = await withSought(deps.db, principal, query);
      return ok(presentPage(await listTemplates(deps.db, accountId, filters), url(), presentTemplate));
    },
  }),
  route({
    method: 'POST',
    url,
    operationId: 'createMessageTemplate',
    summary: 'Submit a message template for approval',
    description:
      'It is PENDING until the platform has decided; the event `chatapp.template.status` reports the decision. Parley rejects at ' +
      'once what the platform is known to reject.',
    tag,
    scope: 'chatapp:write',
    body: MessageTemplateCreate,
    responses: { 201: MessageTemplate },
    example: {
      chatapp_number: '+447700900001',
      name: 'viewing_confirmed',
      language_code: 'en_GB',
      category: 'UTILITY',
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'Your viewing' },
        body,
        { type: 'FOOTER', text: 'Example Lettings' },
        { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Another time' }] },
      ],
    },
    handler: async ({ deps, accountId, body }) => created(presentTemplate(await createTemplate(deps, accountId, body))),
  }),
  route({
    method: 'POST',
    url: `${url}sync/`,
    operationId: 'syncMessageTemplates',
    summary: 'Fetch the templates from the platform',
    description: 'Shortly afterwards they match the platform. Parley also does this every hour.',
    tag,
    scope: 'chatapp:write',
    body: TemplateSync,
    responses: { 202: TemplateSyncStarted },
    example: {},
    handler: async ({ deps, accountId, principal, body }) => ({
      status: 202,
      body: {
        chatapp_accounts: await requestSync(
          deps,
          accountId,
          body.chatapp_number && withCountry(body.chatapp_number, principal.country),
        ),
      },
    }),
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getMessageTemplate',
    summary: 'Get a message template',
    tag,
    scope: 'inbox:read',
    params: UuidParams,
    responses: { 200: MessageTemplate },
    tagged: { without: ['status', 'quality', 'rejected_reason', 'modified'], row: 'message_templates' },
    bound: { object: { url: one, number: (template: Static<typeof MessageTemplate>) => template.chatapp_number } },
    handler: async ({ deps, accountId, params }) => {
      const row = await findTemplate(deps.db, accountId, params.uuid);
      if (!row) throw notFound();
      return ok(presentTemplate(row));
    },
  }),
  route({
    method: 'PATCH',
    url: one,
    operationId: 'updateMessageTemplate',
    summary: 'Edit a message template',
    description:
      'It is reviewed again and cannot be sent meanwhile. The category of an approved template cannot change.',
    tag,
    scope: 'chatapp:write',
    params: UuidParams,
    body: MessageTemplateUpdate,
    responses: { 200: MessageTemplate },
    example: { components: [body] },
    handler: async ({ deps, accountId, params, body }) =>
      ok(presentTemplate(await updateTemplateDefinition(deps, accountId, params.uuid, body))),
  }),
  route({
    method: 'DELETE',
    url: one,
    operationId: 'deleteMessageTemplate',
    summary: 'Delete a message template',
    description: 'Deletes it in this language only; on the platform in the background.',
    tag,
    scope: 'chatapp:write',
    params: UuidParams,
    responses: { 204: null },
    handler: async ({ deps, accountId, params }) => {
      await deleteTemplate(deps, accountId, params.uuid);
      return noContent();
    },
  }),
];
