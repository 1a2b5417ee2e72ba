import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import { pageQuery } from '../../../platform/db/page.ts';
import { notFound } from '../../../platform/errors.ts';
import { PageOf, presentPage, Timestamp, Uuid, UuidParams } from '../../../platform/http/openapi/models.ts';
import { created, noContent, ok } from '../../../platform/http/route.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import { refuseOthersThanOperator } from '../../accounts/index.ts';
import { senderNamePattern } from '../addresses.ts';
import {
  decideSender,
  hasLiveLinks,
  type ListedSender,
  listSenders,
  listSendersAnyAccount,
  registerSender,
  removeSender,
  type SenderRow,
  senderStatuses,
} from './senders.ts';

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
const SenderStatus = Type.Enum([...senderStatuses], {
  title: 'SmsSenderStatus',
  description:
    'PENDING: whoever runs the server has to approve it first. Names of their own account, and of accounts with sandbox links ' +
    'only, are APPROVED at once; the latter until they have a real link.',
});
const senderFields = {
  uuid: Uuid(),
  sender: Type.String(),
  status: SenderStatus,
  reason: nullable(Type.String({ description: 'Why it was rejected.' })),
  created: Timestamp(),
};
const SmsSender = Type.Object(senderFields, {
  title: 'SmsSender',
  description: 'A name that SMS may be sent from, where the other side allows names.',
});

const presentSender = ({ uuid, sender, status, reason, created }: SenderRow, isLive: boolean) => ({
  uuid,
  sender,
  status: status === 'PENDING' && !isLive ? 'APPROVED' : status,
  reason,
  created,
});

const SenderName = Type.Object(
  {
    ...senderFields,
    account: Type.Object({ uuid: Uuid(), name: Type.String() }, { title: 'SenderNameAccount' }),
    decided: nullable(Timestamp('When it was approved or rejected.')),
  },
  { title: 'SenderName', description: 'A name that some account wants to send SMS from.' },
);
const presentName = (row: ListedSender) => ({
  ...presentSender(row, true),
  account: { uuid: row.account_id, name: row.account_name },
  decided: row.decided,
});
const Rejection = Type.Object(
  { reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Shown to the account.' })) },
  { title: 'SenderNameRejection' },
);
const names = '/v2/operator/sender-names/';
const operatorOnly = "The operator's account only, with the scope `operator`.";

export const senderRoutes = [
  route({
    method: 'GET',
    url: '/v2/sms-senders/',
    operationId: 'listSmsSenders',
    summary: 'List SMS sender names',
    tag,
    scope: 'sms:read',
    query: Type.Object(pageQuery),
    responses: { 200: PageOf(SmsSender, 'SmsSenderPage') },
    handler: async ({ deps, accountId, query, url }) => {
      const isLive = await hasLiveLinks(deps, accountId);
      const page = await listSenders(deps.db, accountId, query);
      return ok(presentPage(page, url(), (row) => presentSender(row, isLive)));
    },
  }),
  route({
    method: 'POST',
    url: '/v2/sms-senders/',
    operationId: 'createSmsSender',
    summary: 'Register an SMS sender name',
    description:
      'If the name is already registered, returns the existing one. With a real link, SMS can be sent from it once it is APPROVED.',
    tag,
    scope: 'sms:write',
    body: SmsSenderCreate,
    responses: { 201: SmsSender },
    example: { sender: 'Parley' },
    handler: async ({ deps, accountId, body }) =>
      created(presentSender(await registerSender(deps, accountId, body.sender), await hasLiveLinks(deps, accountId))),
  }),
  route({
    method: 'DELETE',
    url: '/v2/sms-senders/:uuid/',
    operationId: 'deleteSmsSender',
    summary: 'Delete an SMS sender name',
    tag,
    scope: 'sms:write',
    params: UuidParams,
    responses: { 204: null },
    handler: async ({ deps, accountId, params }) => {
      if (!(await removeSender(deps, accountId, params.uuid))) throw notFound();
      return noContent();
    },
  }),
  route({
    method: 'GET',
    url: names,
    operationId: 'listSenderNames',
    summary: 'List the SMS sender names of all accounts',
    description: operatorOnly,
    tag,
    scope: 'operator',
    query: Type.Object({ ...pageQuery, status: Type.Optional(SenderStatus) }),
    responses: { 200: PageOf(SenderName, 'SenderNamePage') },
    errors: [403],
    handler: async ({ deps, accountId, query, url }) => {
      await refuseOthersThanOperator(deps.db, accountId);
      return ok(presentPage(await listSendersAnyAccount(deps.db, query), url(), presentName));
    },
  }),
  route({
    method: 'POST',
    url: `${names}:uuid/approve/`,
    operationId: 'approveSenderName',
    summary: 'Approve an SMS sender name',
    description: `${operatorOnly} A name that was rejected can be approved later.`,
    tag,
    scope: 'operator',
    params: UuidParams,
    responses: { 200: SenderName },
    errors: [403],
    handler: async ({ deps, accountId, params }) => {
      await refuseOthersThanOperator(deps.db, accountId);
      return ok(presentName(await decideSender(deps, params.uuid, { status: 'APPROVED', reason: null })));
    },
  }),
  route({
    method: 'POST',
    url: `${names}:uuid/reject/`,
    operationId: 'rejectSenderName',
    summary: 'Reject an SMS sender name',
    description: `${operatorOnly} Nothing more is sent from it; a name that was approved can be rejected later.`,
    tag,
    scope: 'operator',
    params: UuidParams,
    body: Rejection,
    responses: { 200: SenderName },
    errors: [403],
    example: { reason: 'It is the name of a bank.' },
    handler: async ({ deps, accountId, params, body }) => {
      await refuseOthersThanOperator(deps.db, accountId);
      const { reason = null } = body;
      return ok(presentName(await decideSender(deps, params.uuid, { status: 'REJECTED', reason })));
    },
  }),
];
