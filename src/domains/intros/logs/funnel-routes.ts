import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import { spanQuery } from '../../../platform/db/page.ts';
import { Uuid, UuidParams } from '../../../platform/http/openapi/models.ts';
import { ok } from '../../../platform/http/route.ts';
import { readFunnel, readFunnelOf } from './funnel.ts';
import { IntroFunnel, IntroFunnelReport } from './funnel-schemas.ts';
import { mustHaveExisted } from './routes.ts';

const tag = 'Chat intros';

export const funnelRoutes = [
  route({
    method: 'GET',
    url: '/v2/chatapp/chat-intros/funnel/',
    operationId: 'getChatIntrosFunnel',
    summary: 'Get the funnel of all chat intros',
    description: 'Counts the clicks and sessions of a period, and the later steps of those sessions.',
    tag,
    scope: 'chatapp:read',
    query: Type.Object({
      ...spanQuery,
      chat_intros: Type.Optional(
        Type.Array(Uuid(), {
          minItems: 1,
          maxItems: 200,
          description: 'Only of these; without `group_by`, one funnel for each that people came to.',
        }),
      ),
      group_by: Type.Optional(
        Type.String({ maxLength: 255, description: 'A key of `meta_data`: one funnel for each value that it has.' }),
      ),
    }),
    responses: { 200: IntroFunnelReport },
    handler: async ({ deps, accountId, query }) => ok(await readFunnel(deps.db, accountId, query)),
  }),
  route({
    method: 'GET',
    url: '/v2/chatapp/chat-intros/:uuid/funnel/',
    operationId: 'getChatIntroFunnel',
    summary: 'Get the funnel of a chat intro, even a deleted one',
    tag,
    scope: 'chatapp:read',
    params: UuidParams,
    query: Type.Object(spanQuery),
    responses: { 200: IntroFunnel },
    handler: async ({ deps, accountId, params, query }) => {
      await mustHaveExisted(deps.db, accountId, params.uuid);
      return ok(await readFunnelOf(deps.db, accountId, { ...query, chat_intro: params.uuid }));
    },
  }),
];
