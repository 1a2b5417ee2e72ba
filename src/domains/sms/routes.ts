import { type Static, Type } from 'typebox';
import { route } from '../../deps.ts';
import { pageQuery } from '../../platform/db/page.ts';
import { notFound } from '../../platform/errors.ts';
import { ManyResult, presentPage, Uuid, UuidParams } from '../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../platform/http/route.ts';
import { searchQuery, withSought } from '../directory/index.ts';
import { ResendResult } from '../outbox/index.ts';
import { Feedback, FeedbackCreate } from '../safeguards/index.ts';
import { networkRoutes } from './links/network-status.ts';
import { linkRoutes } from './links/routes.ts';
import { findSms, listSms, listStatusEvents, readSms, type SmsRow } from './queries.ts';
import {
  presentSms,
  presentStatusLog,
  SmsCreate,
  SmsCreateMultiple,
  SmsDirection,
  SmsRecord,
  SmsRecordPage,
  SmsResults,
  SmsStatus,
  SmsStatusLogPage,
  SmsToCancel,
  SmsToResend,
} from './schemas.ts';
import { cancelManySms, cancelSms } from './send/cancel.ts';
import { resendManySms } from './send/resend.ts';
import { confirmSms, sendersIn, sendMultiple, sendSms } from './send/send.ts';
import { senderRoutes } from './send/sender-routes.ts';

const tag = 'SMS';
const Address = (description: string) => Type.String({ minLength: 1, maxLength: 64, description });

/** Whose an SMS is, for tokens that are bound to some numbers: the number's that it was sent from, or came to. */
const ofSms = {
  object: {
    url: '/v2/send-sms/:uuid/',
    number: ({ direction, from, to }: Static<typeof SmsRecord>) => (direction === 'INBOUND' ? to : from),
  },
};

async function* presented(chunks: AsyncIterable<SmsRow[]>) {
  for await (const rows of chunks) yield rows.map(presentSms);
}

export const routes = [
  route({
    method: 'POST',
    url: '/v2/send-sms/',
    operationId: 'sendSms',
    summary: 'Send an SMS',
    tag,
    scope: 'sms:write',
    audit: false,
    body: SmsCreate,
    responses: { 201: SmsRecord },
    example: { from: '+442079460000', to: '+44 7700 900123', text: 'Your viewing is at ten.' },
    bound: { numbers: ({ body }) => [body.from] },
    handler: async ({ deps, accountId, body }) => created(presentSms(await sendSms(deps, accountId, body))),
  }),
  route({
    method: 'POST',
    url: '/v2/send-sms/multiple/',
    operationId: 'sendMultipleSms',
    summary: 'Send up to 1,000 SMS',
    description: 'Valid SMS are accepted; the result of an invalid one has its errors, at the same position.',
    tag,
    scope: 'sms:write',
    audit: false,
    body: SmsCreateMultiple,
    responses: { 201: SmsResults },
    example: { from: '+442079460000', to: ['+44 7700 900123', '+44 7700 900124'], text: 'We are open on Sunday.' },
    bound: { numbers: ({ body }) => sendersIn(body) },
    handler: async ({ deps, accountId, body }) => created({ results: await sendMultiple(deps, accountId, body) }),
  }),
  route({
    method: 'POST',
    url: '/v2/send-sms/cancel/',
    operationId: 'cancelManySms',
    summary: 'Cancel up to 1,000 SMS that are still queued',
    tag,
    scope: 'sms:write',
    body: SmsToCancel,
    responses: { 200: ManyResult },
    example: { sms: ['01936b5e-7c00-7000-8000-000000000001'] },
    handler: async ({ deps, accountId, body }) => ok(await cancelManySms(deps, accountId, body.sms)),
  }),
  route({
    method: 'POST',
    url: '/v2/send-sms/resend/',
    operationId: 'resendManySms',
    summary: 'Send up to 1,000 failed SMS again',
    description:
      'Each is accepted as a new SMS with the same content, after the same checks as any other; the failed one stays as it is. One is ' +
      'sent again at most once, however often it is asked for, and then names the new SMS as `resent_as`.',
    tag,
    scope: 'sms:write',
    body: SmsToResend,
    responses: { 200: ResendResult },
    example: { sms: ['01936b5e-7c00-7000-8000-000000000001'] },
    handler: async ({ deps, accountId, body }) => ok(await resendManySms(deps, accountId, body.sms)),
  }),
  route({
    method: 'GET',
    url: '/v2/send-sms/:uuid/',
    operationId: 'getSms',
    reads: 'content',
    summary: 'Get an SMS',
    tag,
    scope: 'sms:read',
    params: UuidParams,
    responses: { 200: SmsRecord },
    tagged: { without: ['status', 'status_description', 'modified'] },
    bound: ofSms,
    handler: async ({ deps, accountId, params }) => {
      const sms = await findSms(deps.db, accountId, params.uuid);
      if (!sms) throw notFound();
      return ok(presentSms(sms));
    },
  }),
  route({
    method: 'GET',
    url: '/v2/send-sms/:uuid/status-logs/',
    operationId: 'listSmsStatusLogs',
    summary: 'List the status steps of an SMS, in order',
    tag,
    scope: 'sms:read',
    params: UuidParams,
    query: Type.Object({ ...pageQuery, ordering: Type.Enum(['created', '-created'], { default: 'created' }) }),
    responses: { 200: SmsStatusLogPage },
    bound: ofSms,
    handler: async ({ deps, accountId, params, query, url }) => {
      if (!(await findSms(deps.db, accountId, params.uuid))) throw notFound();
      return ok(presentPage(await listStatusEvents(deps.db, accountId, params.uuid, query), url(), presentStatusLog));
    },
  }),
  route({
    method: 'POST',
    url: '/v2/send-sms/:uuid/feedback/',
    operationId: 'createSmsFeedback',
    summary: 'Report that the person used the one-time password of an SMS',
    description: 'For the safeguard `otp_conversion`. Repeating the request changes nothing.',
    tag,
    scope: 'sms:write',
    audit: false,
    params: UuidParams,
    body: FeedbackCreate,
    responses: { 200: Feedback },
    example: { outcome: 'CONFIRMED' },
    bound: ofSms,
    handler: async ({ deps, accountId, params }) => ok(await confirmSms(deps, accountId, params.uuid)),
  }),
  route({
    method: 'DELETE',
    url: '/v2/send-sms/:uuid/',
    operationId: 'cancelSms',
    summary: 'Cancel an SMS that is still queued',
    tag,
    scope: 'sms:write',
    params: UuidParams,
    responses: { 204: null },
    errors: [409],
    bound: ofSms,
    handler: async ({ deps, accountId, params }) => {
      await cancelSms(deps, accountId, params.uuid);
      return noContent();
    },
  }),
  route({
    method: 'GET',
    url: '/v2/sms-records/',
    operationId: 'listSmsRecords',
    reads: 'csv',
    summary: 'List SMS, sent and received',
    tag,
    scope: 'sms:read',
    query: Type.Object({
      ...pageQuery,
      from: Type.Optional(Address('Sender: a number in any notation, or a name.')),
      to: Type.Optional(Address('Recipient.')),
      number: Type.Optional(Address('Either of them.')),
      direction: Type.Optional(SmsDirection),
      status: Type.Optional(SmsStatus),
      campaign_log: Type.Optional(Uuid()),
      ...searchQuery,
    }),
    responses: { 200: SmsRecordPage },
    csv: {
      name: 'sms-records',
      columns: Object.keys(SmsRecord.properties),
      async *rows({ deps, accountId, principal, query }) {
        const filters = await withSought(deps.db, principal, query);
        yield* presented(readSms(deps.db, accountId, filters, principal.country));
      },
    },
    bound: { numbers: ({ query }) => [query.direction === 'INBOUND' ? query.to : query.from] },
    handler: async ({ deps, accountId, principal, query, url }) => {
      const filters = await withSought(deps.db, principal, query);
      return ok(presentPage(await listSms(deps.db, accountId, filters, principal.country), url(), presentSms));
    },
  }),
  ...senderRoutes,
  ...linkRoutes,
  ...networkRoutes,
];
