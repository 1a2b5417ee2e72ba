import { Type } from 'typebox';
import { route } from '../../deps.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { notFound } from '../../platform/errors.ts';
import { PageOf, presentPage, Timestamp, Uuid, UuidParams } from '../../platform/http/models.ts';
import { created, noContent, ok } from '../../platform/http/route.ts';
import { senderNamePattern } from './addresses.ts';
import { insertSender, listSenders, type SenderRow } from './sender-queries.ts';
import { removeSender } from './senders.ts';

const tag = 'SMS';

const SmsSenderCreate = Type.Object(
  {
    sender: Type.String({
      pattern: senderNamePattern,
      maxLength: 11,
      'x-message': 'Enter up to 11 letters, digits, spaces, & . or -, with a letter among them.',
      description: 'Shown to people in place of a number.',
    }),
  },
  { title: 'SmsSenderCreate' },
);
const SmsSender = Type.Object(
  { uuid: Uuid(), sender: Type.String(), created: Timestamp() },
  { title: 'SmsSender', description: 'A name that SMS may be sent from, where the other side allows names.' },
);

const presentSender = ({ uuid, sender, created }: SenderRow) => ({ uuid, sender, created });

export const senderRoutes = [
  route({
    method: 'GET',
    url: '/v2/sms-senders/',
    operationId: 'listSmsSenders',
    summary: 'List the names you send from',
    tag,
    scope: 'sms:read',
    query: Type.Object(pageQuery),
    responses: { 200: PageOf(SmsSender, 'SmsSenderPage') },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listSenders(deps.db, accountId, query), url(), presentSender)),
  }),
  route({
    method: 'POST',
    url: '/v2/sms-senders/',
    operationId: 'createSmsSender',
    summary: 'Register a name to send from',
    description: 'For a name that is registered already it answers with what is there.',
    tag,
    scope: 'sms:write',
    body: SmsSenderCreate,
    responses: { 201: SmsSender },
    example: { sender: 'Parley' },
    handler: async ({ deps, accountId, body }) =>
      created(presentSender(await insertSender(deps.db, accountId, body.sender))),
  }),
  route({
    method: 'DELETE',
    url: '/v2/sms-senders/:uuid/',
    operationId: 'deleteSmsSender',
    summary: 'Delete a name',
    tag,
    scope: 'sms:write',
    params: UuidParams,
    responses: { 204: null },
    handler: async ({ deps, accountId, params }) => {
      if (!(await removeSender(deps, accountId, params.uuid))) throw notFound();
      return noContent();
    },
  }),
];
