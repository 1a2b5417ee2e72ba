import { type Static, Type } from 'typebox';
import { route } from '../../deps.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { FreeForm, PageOf, presentPage, Timestamp, Uuid } from '../../platform/http/openapi/models.ts';
import { ok } from '../../platform/http/route.ts';
import { redactContent } from '../../platform/text/redact.ts';
import { listEvents } from './queries.ts';
import type { EventRow } from './stream.ts';

export const EventFilter = Type.Object({
  ...pageQuery,
  kind: Type.Optional(
    Type.String({
      pattern: '^[a-z_]+(\\.[a-z_]+)+$',
      maxLength: 100,
      'x-message': 'Enter a kind of event, such as message.delivered.',
    }),
  ),
  subject: Type.Optional(Uuid('What it happened to: a message, an intro, a number …')),
});
export type EventFilter = Static<typeof EventFilter>;

export const TimelineEvent = Type.Object(
  {
    uuid: Uuid(),
    kind: Type.String({ examples: ['message.delivered'] }),
    subject_type: Type.String({ examples: ['message'] }),
    subject: Uuid(),
    data: FreeForm(),
    at: Timestamp(),
  },
  { title: 'TimelineEvent' },
);
export const TimelineEventPage = PageOf(TimelineEvent, 'TimelineEventPage');

/** As an account with `redact_content` sees it. */
export const presentRedacted = (row: EventRow) => ({
  ...presentEvent(row),
  data: redactContent(row.data as Record<string, unknown>),
});

export const presentEvent = ({ uuid, kind, subject_type, subject, data, at }: EventRow) => ({
  uuid,
  kind,
  subject_type,
  subject,
  data,
  at,
});

export const routes = [
  route({
    method: 'GET',
    url: '/v2/events/',
    operationId: 'listEvents',
    summary: 'The timeline: everything that happened in the account',
    tag: 'Events',
    scope: 'account:read',
    query: EventFilter,
    responses: { 200: TimelineEventPage },
    handler: async ({ deps, accountId, principal, query, url }) => {
      const page = await listEvents(deps.db, accountId, query);
      return ok(presentPage(page, url(), principal.redactsContent ? presentRedacted : presentEvent));
    },
  }),
];
