import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { spanQuery } from '../../../platform/db/page.ts';
import { Uuid, UuidParams } from '../../../platform/http/openapi/models.ts';
import { ok } from '../../../platform/http/route.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import { countFunnel, type FunnelQuery, type FunnelRow } from './funnel-queries.ts';
import { mustHaveExisted } from './routes.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Seconds = (description: string) => nullable(Type.Number({ minimum: 0, description }));

const steps = {
  clicks: Count("How often people opened the intro's link."),
  unique_clicks: Count('The same, each visitor of a day counted once for each intro.'),
  matched: Count('Sessions: people whose message was matched to an intro, or who were brought in by a start call.'),
  replied: Count('Sessions that were replied to.'),
  delivered: Count('Sessions whose reply arrived.'),
  read: Count('Sessions whose reply was read.'),
  notified: Count('Sessions of which the B party was notified.'),
  notify_failed: Count('Sessions in which a notification failed, whether or not another one left after it.'),
  bparty_contacted: Count('Sessions whose B party opened the link to the A party.'),
  aparty_connected: Count('Sessions whose A party opened the link to the B party.'),
  expired: Count('Sessions that ended without contact after seven quiet days.'),
  median_seconds: Type.Object(
    {
      start_to_reply: Seconds('From the start to the reply.'),
      reply_to_read: Seconds('From the reply to its being read.'),
      start_to_notify: Seconds('From the start to the notification of the B party.'),
      notify_to_contact: Seconds("From that notification to the B party's contact."),
    },
    { description: 'Of those who took both steps; null when nobody did.' },
  ),
};

const IntroFunnel = Type.Object(steps, { title: 'IntroFunnel' });

const IntroFunnelGroup = Type.Object(
  {
    group: nullable(Type.String({ description: 'The value of the key, null: intros without it; or the intro.' })),
    ...steps,
  },
  { title: 'IntroFunnelGroup' },
);

const IntroFunnelReport = Type.Object(
  {
    ...steps,
    groups: Type.Array(IntroFunnelGroup, {
      description: 'At most 1,000, those with the most sessions first; empty without `group_by` and `chat_intros`.',
    }),
    more_groups: Type.Boolean({ description: 'Whether there are groups beyond those shown. All are in the totals.' }),
  },
  { title: 'IntroFunnelReport', description: 'The totals over all intros, and the groups.' },
);

const mostGroups = 1000;

/** How many people took each step, over all intros that were asked for and, with `group_by`, group by group. */
async function readFunnel(db: Db, accountId: string, query: FunnelQuery) {
  // One group more than is shown tells whether there are others.
  const [total, ...groups] = await countFunnel(db, accountId, query, mostGroups + 1);
  return {
    ...presentFunnel(total!),
    groups: groups.slice(0, mostGroups).map((row) => ({ group: row.label, ...presentFunnel(row) })),
    more_groups: groups.length > mostGroups,
  };
}

/** The funnel of one intro. */
async function readFunnelOf(db: Db, accountId: string, query: FunnelQuery & { chat_intro: string }) {
  const [total] = await countFunnel(db, accountId, query, 0);
  return presentFunnel(total!);
}

const presentFunnel = (row: FunnelRow) => ({
  clicks: row.clicks,
  unique_clicks: row.unique_clicks,
  matched: row.matched,
  replied: row.replied,
  delivered: row.delivered,
  read: row.read,
  notified: row.notified,
  notify_failed: row.notify_failed,
  bparty_contacted: row.bparty_contacted,
  aparty_connected: row.aparty_connected,
  expired: row.expired,
  median_seconds: {
    start_to_reply: row.start_to_reply,
    reply_to_read: row.reply_to_read,
    start_to_notify: row.start_to_notify,
    notify_to_contact: row.notify_to_contact,
  },
});

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
