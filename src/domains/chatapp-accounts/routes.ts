import { type Static, Type } from 'typebox';
import { route } from '../../deps.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { notFound } from '../../platform/errors.ts';
import { withWarnings } from '../../platform/http/header-values.ts';
import { Phone, presentPage, UuidParams } from '../../platform/http/openapi/models.ts';
import { type Answer, created, noContent, ok } from '../../platform/http/route.ts';
import { type Changed, createChatappAccount, defaults, deleteChatappAccount, updateChatappAccount } from './change.ts';
import { findChatappAccount, listChatappAccounts } from './queries.ts';
import {
  ChatappAccountCreate,
  ChatappAccountModel,
  ChatappAccountPage,
  ChatappAccountUpdate,
  presentChatappAccount,
} from './schemas.ts';

const tag = 'Chat-app accounts';
const url = '/v2/chatapp/accounts/';
const one = `${url}:uuid/` as const;

const answer = (status: (body: unknown) => Answer, { row, warnings }: Changed): Answer =>
  withWarnings(status(presentChatappAccount(row)), warnings);

export const routes = [
  route({
    method: 'GET',
    url,
    operationId: 'listChatappAccounts',
    summary: 'List chat-app accounts',
    tag,
    scope: 'inbox:read',
    query: Type.Object({ ...pageQuery, chatapp_number: Type.Optional(Phone()) }),
    responses: { 200: ChatappAccountPage },
    bound: { numbers: ({ query }) => [query.chatapp_number] },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listChatappAccounts(deps.db, accountId, query), url(), presentChatappAccount)),
  }),
  route({
    method: 'POST',
    url,
    operationId: 'createChatappAccount',
    summary: 'Register a number to send from',
    description:
      'A number that the sandbox adopted keeps its uuid, intros, templates and history. With the first live number, `sandbox` of the ' +
      'account becomes `registered`; `Parley-Warnings` says so.',
    tag,
    scope: 'chatapp:write',
    body: ChatappAccountCreate,
    responses: { 201: ChatappAccountModel },
    example: { chatapp_number: '+44 7700 900002', name: 'Lettings', language_code: 'en_GB' },
    handler: async ({ deps, accountId, body }) => answer(created, await createChatappAccount(deps, accountId, body)),
  }),
  route({
    method: 'GET',
    url: one,
    operationId: 'getChatappAccount',
    summary: 'Get a chat-app account',
    tag,
    scope: 'inbox:read',
    params: UuidParams,
    responses: { 200: ChatappAccountModel },
    tagged: { without: ['quality', 'adopted'], row: 'chatapp_accounts' },
    bound: {
      object: { url: one, number: (sender: Static<typeof ChatappAccountModel>) => sender.chatapp_number },
    },
    handler: async ({ deps, accountId, params }) => {
      const row = await findChatappAccount(deps.db, accountId, params.uuid);
      if (!row) throw notFound();
      return ok(presentChatappAccount(row));
    },
  }),
  route({
    method: 'PUT',
    url: one,
    operationId: 'replaceChatappAccount',
    summary: 'Replace the settings of a chat-app account',
    tag,
    scope: 'chatapp:write',
    params: UuidParams,
    body: ChatappAccountUpdate,
    responses: { 200: ChatappAccountModel },
    example: { name: 'Sales', messages_per_second: 40 },
    handler: async ({ deps, accountId, params, body }) =>
      answer(ok, await updateChatappAccount(deps, accountId, params.uuid, { ...defaults, ...body })),
  }),
  route({
    method: 'PATCH',
    url: one,
    operationId: 'updateChatappAccount',
    summary: 'Change settings of a chat-app account',
    tag,
    scope: 'chatapp:write',
    params: UuidParams,
    body: ChatappAccountUpdate,
    responses: { 200: ChatappAccountModel },
    example: { messages_per_second: 40 },
    handler: async ({ deps, accountId, params, body }) =>
      answer(ok, await updateChatappAccount(deps, accountId, params.uuid, body)),
  }),
  route({
    method: 'DELETE',
    url: one,
    operationId: 'deleteChatappAccount',
    summary: 'Delete a chat-app account that was never used',
    description:
      'A number that has messages or intros cannot be deleted, because their history refers to it; pause it instead.',
    tag,
    scope: 'chatapp:write',
    params: UuidParams,
    responses: { 204: null },
    errors: [409],
    handler: async ({ deps, accountId, params }) => {
      await deleteChatappAccount(deps, accountId, params.uuid);
      return noContent();
    },
  }),
  ...(['pause', 'resume'] as const).map((verb) =>
    route({
      method: 'POST',
      url: `${one}${verb}/`,
      operationId: `${verb}ChatappAccount`,
      summary:
        verb === 'pause'
          ? 'Pause a chat-app account: its messages stay queued'
          : 'Resume a chat-app account: queued messages are sent',
      tag,
      scope: 'chatapp:write',
      params: UuidParams,
      responses: { 200: ChatappAccountModel },
      handler: async ({ deps, accountId, params }) =>
        answer(ok, await updateChatappAccount(deps, accountId, params.uuid, { paused: verb === 'pause' })),
    }),
  ),
];
