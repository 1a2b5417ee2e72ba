import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { pageQuery } from '../../../platform/db/page.ts';
import { notFound } from '../../../platform/errors.ts';
import { presentPage, Recipient, Uuid, UuidParams } from '../../../platform/http/openapi/models.ts';
import { ok } from '../../../platform/http/route.ts';
import { searchQuery, withSought } from '../../directory/index.ts';
import { introExisted, listLogs, listStatusLogs, readLogs, readStatusLogs } from './queries.ts';
import {
  ChatIntroLog,
  ChatIntroLogPage,
  ChatIntroStatusLog,
  ChatIntroStatusLogPage,
  LogEvent,
  LogStatus,
  presentLog,
  presentStatusLog,
} from './schemas.ts';

const tag = 'Chat intros';

const filters = {
  ...pageQuery,
  ...searchQuery,
  session: Type.Optional(Uuid()),
  aparty_number: Type.Optional(Recipient('In any notation.')),
};
const event = Type.Optional(LogEvent);
const chat_intro = Type.Optional(Uuid());

/** A deleted intro's logs stay. */
export async function mustHaveExisted(db: Db, accountId: string, uuid: string): Promise<void> {
  if (!(await introExisted(db, accountId, uuid))) throw notFound();
}

async function* presented<Row, Item>(chunks: AsyncIterable<Row[]>, present: (row: Row) => Item) {
  for await (const rows of chunks) yield rows.map(present);
}

export const logRoutes = [
  route({
    method: 'GET',
    url: '/v2/chatapp/chat-intros/:uuid/logs/',
    operationId: 'listLogsOfChatIntro',
    summary: 'Get the log of a chat intro, even a deleted one',
    tag,
    scope: 'chatapp:read',
    params: UuidParams,
    query: Type.Object({ ...filters, event }),
    responses: { 200: ChatIntroLogPage },
    csv: {
      name: 'chat-intro-logs',
      columns: Object.keys(ChatIntroLog.properties),
      async *rows({ deps, accountId, principal, params, query }) {
        await mustHaveExisted(deps.db, accountId, params.uuid);
        const found = { ...(await withSought(deps.db, principal, query)), chat_intro: params.uuid };
        yield* presented(readLogs(deps.db, accountId, found), presentLog);
      },
    },
    handler: async ({ deps, accountId, principal, params, query, url }) => {
      await mustHaveExisted(deps.db, accountId, params.uuid);
      return ok(
        presentPage(
          await listLogs(deps.db, accountId, {
            ...(await withSought(deps.db, principal, query)),
            chat_intro: params.uuid,
          }),
          url(),
          presentLog,
        ),
      );
    },
  }),
  route({
    method: 'GET',
    url: '/v2/chatapp/chat-intro-logs/',
    operationId: 'listChatIntroLogs',
    summary: 'Get the logs of all chat intros',
    tag,
    scope: 'chatapp:read',
    query: Type.Object({ ...filters, chat_intro, event }),
    responses: { 200: ChatIntroLogPage },
    csv: {
      name: 'chat-intro-logs',
      columns: Object.keys(ChatIntroLog.properties),
      async *rows({ deps, accountId, principal, query }) {
        const found = await withSought(deps.db, principal, query);
        yield* presented(readLogs(deps.db, accountId, found), presentLog);
      },
    },
    handler: async ({ deps, accountId, principal, query, url }) =>
      ok(
        presentPage(await listLogs(deps.db, accountId, await withSought(deps.db, principal, query)), url(), presentLog),
      ),
  }),
  route({
    method: 'GET',
    url: '/v2/chatapp/chat-intro-status-logs/',
    operationId: 'listChatIntroStatusLogs',
    summary: 'Get the status changes of chat intro sessions',
    tag,
    scope: 'chatapp:read',
    query: Type.Object({ ...filters, chat_intro, status: Type.Optional(LogStatus) }),
    responses: { 200: ChatIntroStatusLogPage },
    csv: {
      name: 'chat-intro-status-logs',
      columns: Object.keys(ChatIntroStatusLog.properties),
      async *rows({ deps, accountId, principal, query }) {
        const found = await withSought(deps.db, principal, query);
        yield* presented(readStatusLogs(deps.db, accountId, found), presentStatusLog);
      },
    },
    handler: async ({ deps, accountId, principal, query, url }) =>
      ok(
        presentPage(
          await listStatusLogs(deps.db, accountId, await withSought(deps.db, principal, query)),
          url(),
          presentStatusLog,
        ),
      ),
  }),
];
