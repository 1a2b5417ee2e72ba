import { Type } from 'typebox';
import { route } from '../../deps.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { notFound, ValidationError } from '../../platform/errors.ts';
import { withWarnings } from '../../platform/http/header-values.ts';
import { presentPage, UuidParams } from '../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../platform/http/route.ts';
import { searchQuery, withSought } from '../directory/index.ts';
import { deleteIntro, patchIntro, replaceIntro, saveIntro } from './change.ts';
import { funnelRoutes } from './logs/funnel.ts';
import { logRoutes } from './logs/routes.ts';
import { linkRoutes } from './open/qr.ts';
import { originOf } from './open/serve.ts';
import { findIntro, listIntros, readIntros } from './queries.ts';
import {
  ChatIntro,
  ChatIntroCreate,
  ChatIntroPage,
  ChatIntroPatch,
  ChatIntroSave,
  presentIntro,
  presentStoredIntro,
  StoredChatIntro,
} from './schemas.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { introWarnings } from './warnings.ts';

const tag = 'Chat intros';

const example = {
  chatapp_number: '+44 20 7946 0011',
  reference_id: 'PROP-1024',
  expected_message_template: 'Hello, I would like to know more about {{reference_id}}',
  reply_message_template: 'Thank you for asking about {{PropertyName}}. {{AgentName}} will be in touch.',
  intro_message_template: 'Hello, {{AgentName}} here, about {{PropertyName}}.',
  notify_type: 'CHATAPP',
  notify_to_phone_number: '+44 7700 900123',
  notify_chatapp_template_name: 'new_lead',
  notify_chatapp_template_components: [
    { type: 'body', parameters: [{ type: 'text', text: '{{APartyDataContactName}}' }] },
    { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: '{{intro_chat_shortcode}}' }] },
  ],
  notify_delay: 30,
  extra_variable_data: { PropertyName: '12 Mill Lane', AgentName: 'Ada' },
};

/** One operation under two addresses. */
const createAt = (url: string, operationId: string, summary: string) =>
  route({
    method: 'POST',
    url,
    operationId,
    summary,
    tag,
    scope: 'chatapp:write',
    body: ChatIntroSave,
    responses: { 200: StoredChatIntro, 201: ChatIntro },
    example,
    handler: async ({ deps, accountId, body: { on_duplicate = 'create', ...given }, request }) => {
      const { row, isNew } = await saveIntro(deps, accountId, given, on_duplicate);
      const origin = originOf(deps.config, request);
      const answer = isNew ? created(presentIntro(row, origin)) : ok(presentStoredIntro(row, origin));
      return withWarnings(answer, await introWarnings(deps, accountId, row));
    },
  });

export const routes = [
  createAt('/v2/chatapp/chat-intros/', 'createChatIntro', 'Create a chat intro'),
  createAt('/v2/chatapp/chat-intro/', 'createChatIntroSecondEntry', 'Create a chat intro (second entry)'),
  route({
    method: 'GET',
    url: '/v2/chatapp/chat-intros/',
    operationId: 'listChatIntros',
    summary: 'List chat intros',
    tag,
    scope: 'chatapp:read',
    query: Type.Object({
      ...pageQuery,
      chatapp_number: Type.Optional(Type.String({ maxLength: 64, description: 'In any notation.' })),
      reference_id: Type.Optional(Type.String({ maxLength: 255 })),
      q: Type.Optional(Type.String({ maxLength: 255, description: 'What `reference_id` begins with, in any case.' })),
      ...searchQuery,
    }),
    responses: { 200: ChatIntroPage },
    csv: {
      name: 'chat-intros',
      // Last, so that the others stay where readers of the file know them.
      columns: [...Object.keys(StoredChatIntro.properties).filter((name) => name !== 'chat_url'), 'chat_url'],
      async *rows({ deps, accountId, principal, query, request }) {
        const origin = originOf(deps.config, request);
        const filters = await withSought(deps.db, principal, query);
        for await (const rows of readIntros(deps.db, accountId, filters, principal.country)) {
          yield rows.map((row) => presentStoredIntro(row, origin));
        }
      },
    },
    handler: async ({ deps, accountId, principal, query, url, request }) => {
      const filters = await withSought(deps.db, principal, query);
      const page = await listIntros(deps.db, accountId, filters, principal.country);
      const origin = originOf(deps.config, request);
      return ok(presentPage(page, url(), (row) => presentIntro(row, origin)));
    },
  }),
  route({
    method: 'PUT',
    url: '/v2/chatapp/chat-intros/by-reference/:reference_id/',
    operationId: 'saveChatIntroByReference',
    summary: 'Create the chat intro with a reference, or replace it',
    description:
      '201 with a new one; 200 if the number had one. Of several with the reference the newest is replaced. The link stays.',
    tag,
    scope: 'chatapp:write',
    params: Type.Object({ reference_id: Type.String({ minLength: 1, maxLength: 255 }) }),
    body: ChatIntroCreate,
    responses: { 200: StoredChatIntro, 201: ChatIntro },
    example,
    handler: async ({ deps, accountId, params: { reference_id }, body, request }) => {
      if (body.reference_id !== undefined && body.reference_id !== reference_id) {
        throw new ValidationError({ reference_id: ['This does not match the reference in the URL.'] });
      }
      const { row, isNew } = await saveIntro(deps, accountId, { ...body, reference_id }, 'update');
      const origin = originOf(deps.config, request);
      const answer = isNew ? created(presentIntro(row, origin)) : ok(presentStoredIntro(row, origin));
      return withWarnings(answer, await introWarnings(deps, accountId, row));
    },
  }),
  route({
    method: 'GET',
    url: '/v2/chatapp/chat-intros/:uuid/',
    operationId: 'getChatIntro',
    summary: 'Get a chat intro',
    tag,
    scope: 'chatapp:read',
    params: UuidParams,
    responses: { 200: StoredChatIntro },
    tagged: { without: ['modified'], row: 'chat_intros' },
    handler: async ({ deps, accountId, params, request }) => {
      const row = await findIntro(deps.db, accountId, params.uuid);
      if (!row) throw notFound();
      return ok(presentStoredIntro(row, originOf(deps.config, request)));
    },
  }),
  route({
    method: 'PUT',
    url: '/v2/chatapp/chat-intros/:uuid/',
    operationId: 'replaceChatIntro',
    summary: 'Replace a chat intro; what is left out goes back to its default',
    tag,
    scope: 'chatapp:write',
    params: UuidParams,
    body: ChatIntroCreate,
    responses: { 200: StoredChatIntro },
    example,
    handler: async ({ deps, accountId, params, body, request }) => {
      const row = await replaceIntro(deps, accountId, params.uuid, body);
      return withWarnings(
        ok(presentStoredIntro(row, originOf(deps.config, request))),
        await introWarnings(deps, accountId, row),
      );
    },
  }),
  route({
    method: 'PATCH',
    url: '/v2/chatapp/chat-intros/:uuid/',
    operationId: 'updateChatIntro',
    summary: 'Change the named fields of a chat intro',
    tag,
    scope: 'chatapp:write',
    params: UuidParams,
    body: ChatIntroPatch,
    responses: { 200: StoredChatIntro },
    example: { notify_delay: 60, extra_variable_data: { PropertyName: '12 Mill Lane', AgentName: 'Grace' } },
    handler: async ({ deps, accountId, params, body, request }) => {
      const row = await patchIntro(deps, accountId, params.uuid, body);
      return withWarnings(
        ok(presentStoredIntro(row, originOf(deps.config, request))),
        await introWarnings(deps, accountId, row),
      );
    },
  }),
  route({
    method: 'DELETE',
    url: '/v2/chatapp/chat-intros/:uuid/',
    operationId: 'deleteChatIntro',
    summary: 'Delete a chat intro; its links answer 410 from then on',
    tag,
    scope: 'chatapp:write',
    params: UuidParams,
    responses: { 204: null },
    handler: async ({ deps, accountId, params }) => {
      await deleteIntro(deps, accountId, params.uuid);
      return noContent();
    },
  }),
  ...sessionRoutes,
  ...logRoutes,
  ...funnelRoutes,
  ...linkRoutes,
];
