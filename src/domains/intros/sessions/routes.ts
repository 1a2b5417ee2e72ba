import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import { originOf } from '../../../platform/config.ts';
import { pageQuery } from '../../../platform/db/page.ts';
import { notFound } from '../../../platform/errors.ts';
import { presentPage, Uuid, UuidParams } from '../../../platform/http/openapi/models.ts';
import { created, ok } from '../../../platform/http/route.ts';
import { searchQuery, withSought } from '../../directory/index.ts';
import { isLinked } from '../../links/index.ts';
import { closeByCall } from './close.ts';
import { findSession, listSessions, readSessions } from './queries.ts';
import { ChatIntroSession, ChatIntroSessionPage, ChatIntroStart, presentSession } from './schemas.ts';
import { startByCall } from './start.ts';

const tag = 'Chat intros';

export const sessionRoutes = [
  route({
    method: 'POST',
    url: '/v2/chatapp/chat-intros/:uuid/start/',
    operationId: 'startChatIntro',
    summary: 'Start a chat intro with a person who has not written',
    description:
      '201 with the new session; 200 with the open one if the person has one already. Outside the 24 hours after the ' +
      "person's last message only templates can be sent; an intro without any is refused.",
    tag,
    scope: 'chatapp:write',
    audit: false,
    params: UuidParams,
    body: ChatIntroStart,
    responses: { 200: ChatIntroSession, 201: ChatIntroSession },
    example: { aparty_number: '+44 7700 900555', aparty_name: 'Ana', variables: { PropertyName: '12 Mill Lane' } },
    handler: async ({ deps, accountId, params, body }) => {
      const { session, isNew } = await startByCall(deps, accountId, params.uuid, body);
      const presented = presentSession(session, originOf(deps.config));
      return isNew ? created(presented) : ok(presented);
    },
  }),
  route({
    method: 'GET',
    url: '/v2/chatapp/chat-intros/:uuid/sessions/',
    operationId: 'listChatIntroSessions',
    summary: 'List the sessions of an intro',
    tag,
    scope: 'chatapp:read',
    params: UuidParams,
    query: Type.Object({ ...pageQuery, ...searchQuery }),
    responses: { 200: ChatIntroSessionPage },
    handler: async ({ deps, accountId, principal, params, query, url }) => {
      if (!(await isLinked(deps.db, accountId, params.uuid))) throw notFound();
      const filters = { ...(await withSought(deps.db, principal, query)), chat_intro: params.uuid };
      const page = await listSessions(deps.db, accountId, filters, principal.country);
      return ok(presentPage(page, url(), (row) => presentSession(row, originOf(deps.config))));
    },
  }),
  route({
    method: 'GET',
    url: '/v2/chatapp/chat-intro-sessions/',
    operationId: 'listAllChatIntroSessions',
    summary: 'The sessions of all intros, or of one person across intros',
    tag,
    scope: 'chatapp:read',
    query: Type.Object({
      ...pageQuery,
      aparty_number: Type.Optional(Type.String({ maxLength: 64, description: 'In any notation.' })),
      chat_intro: Type.Optional(Uuid()),
      open: Type.Optional(Type.Boolean()),
      step: Type.Optional(
        Type.Enum(['STARTED', 'REPLIED', 'NOTIFIED', 'CONNECTED'], { description: 'Only those that took this step.' }),
      ),
      ...searchQuery,
    }),
    responses: { 200: ChatIntroSessionPage },
    csv: {
      name: 'chat-intro-sessions',
      columns: Object.keys(ChatIntroSession.properties),
      async *rows({ deps, accountId, principal, query }) {
        const origin = originOf(deps.config);
        const filters = await withSought(deps.db, principal, query);
        for await (const rows of readSessions(deps.db, accountId, filters, principal.country)) {
          yield rows.map((row) => presentSession(row, origin));
        }
      },
    },
    handler: async ({ deps, accountId, principal, query, url }) => {
      const filters = await withSought(deps.db, principal, query);
      const page = await listSessions(deps.db, accountId, filters, principal.country);
      return ok(presentPage(page, url(), (row) => presentSession(row, originOf(deps.config))));
    },
  }),
  route({
    method: 'GET',
    url: '/v2/chatapp/chat-intro-sessions/:uuid/',
    operationId: 'getChatIntroSession',
    summary: 'Get a session',
    tag,
    scope: 'chatapp:read',
    params: UuidParams,
    responses: { 200: ChatIntroSession },
    handler: async ({ deps, accountId, params }) => {
      const session = await findSession(deps.db, accountId, params.uuid);
      if (!session) throw notFound();
      return ok(presentSession(session, originOf(deps.config)));
    },
  }),
  route({
    method: 'POST',
    url: '/v2/chatapp/chat-intro-sessions/:uuid/close/',
    operationId: 'closeChatIntroSession',
    summary: 'Close a session; its links return 410 from then on',
    description: 'A session that has ended does not change.',
    tag,
    scope: 'chatapp:write',
    params: UuidParams,
    responses: { 200: ChatIntroSession },
    handler: async ({ deps, accountId, params }) =>
      ok(presentSession(await closeByCall(deps, accountId, params.uuid), originOf(deps.config))),
  }),
];
