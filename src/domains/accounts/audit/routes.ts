import { Type } from 'typebox';
import { route } from '../../../deps.ts';
import { pageQuery } from '../../../platform/db/page.ts';
import { verifyChain } from '../../../platform/http/audit-chain.ts';
import { PageOf, presentPage, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { ok } from '../../../platform/http/route.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import { type AuditRow, auditChunks, listAuditEntries } from './queries.ts';

const AuditQuery = Type.Object({
  ...pageQuery,
  actor: Type.Optional(Uuid('Only what this user or token did.')),
  operation: Type.Optional(Type.String({ maxLength: 100, description: 'Only this operation, by its operationId.' })),
});

const AuditActor = Type.Object(
  {
    type: Type.Enum(['USER', 'TOKEN']),
    uuid: Uuid(),
    name: Type.String({ description: 'The name at that moment.' }),
  },
  { title: 'AuditActor', description: 'USER: somebody who signed in with a password. TOKEN: whoever holds it.' },
);

export const AuditEntry = Type.Object(
  {
    uuid: Uuid(),
    created: Timestamp(),
    actor: AuditActor,
    operation: Type.String({ description: 'The operationId.', examples: ['updateChatIntro'] }),
    summary: Type.String({ description: 'What the operation does, in words.' }),
    method: Type.String(),
    path: Type.String({ description: 'Without the query string.' }),
    status: Type.Integer({ description: 'Of the answer; 400: a sign-in that failed.' }),
    address: Type.String({ description: 'From where it was asked: an IP address.' }),
    request_id: Type.String({ description: 'The X-Request-Id of the answer.' }),
    sequence: nullable(
      Type.Integer({
        description: 'Its place in the chain, from 1 without a gap. null: of the last seconds, and not sealed yet.',
      }),
    ),
    hash: nullable(
      Type.String({ description: 'SHA-256 over this entry and the hash of the one before it. null: not sealed yet.' }),
    ),
  },
  { title: 'AuditEntry' },
);
export const AuditPage = PageOf(AuditEntry, 'AuditPage');

export const presentAuditEntry = (row: AuditRow) => ({
  uuid: row.uuid,
  created: row.created,
  actor: { type: row.actor_type, uuid: row.actor_uuid, name: row.actor_name },
  operation: row.operation,
  summary: row.summary,
  method: row.method,
  path: row.path,
  status: row.status,
  address: row.address,
  request_id: row.request_id,
  sequence: row.sequence === null ? null : Number(row.sequence),
  hash: row.hash,
});

/** A table has no objects within: the actor takes three columns. */
const auditColumns = [
  ...['uuid', 'created', 'actor_type', 'actor_uuid', 'actor_name', 'operation', 'summary'],
  ...['method', 'path', 'status', 'address', 'request_id', 'sequence', 'hash'],
];

export const AuditVerification = Type.Object(
  {
    status: Type.Enum(['INTACT', 'BROKEN'], { description: 'BROKEN: an entry was changed or removed.' }),
    problem: nullable(Type.String({ description: 'What is wrong, in words.' })),
    problem_sequence: nullable(Type.Integer({ description: 'The entry at which it is.' })),
    checked: Type.Integer({ description: 'How many entries were checked.' }),
    first_sequence: nullable(Type.Integer({ description: 'The oldest entry that was checked.' })),
    last_sequence: nullable(Type.Integer({ description: 'The newest one.' })),
    last_hash: nullable(
      Type.String({ description: 'The hash of the newest one: note it elsewhere, to compare later.' }),
    ),
    unsealed: Type.Integer({ description: 'Entries of the last seconds, which are not in the chain yet.' }),
    complete: Type.Boolean({ description: 'false: there are more; go on with `after` = `last_sequence`.' }),
  },
  { title: 'AuditVerification' },
);
const VerifyQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Begin after this entry.' }),
  ),
});

/** Accounts stand below webhooks, so that this cannot say for itself that it is event data; `app.ts` does. */
export const auditEvents = { 'audit.entry': AuditEntry };

const mostVerified = 100_000;

export const auditRoutes = [
  route({
    method: 'GET',
    url: '/v2/audit-log/',
    operationId: 'listAuditLog',
    summary: 'List the audit log: who changed what, and who signed in',
    description:
      'Every successful change of settings and data, and every sign-in, including failed ones; with `audit_reads` of the account, ' +
      'reads of content, too. Messages, calls and other traffic are in the timeline instead.',
    tag: 'Account',
    scope: 'audit:read',
    query: AuditQuery,
    responses: { 200: AuditPage },
    csv: {
      name: 'audit-log',
      columns: auditColumns,
      rows: ({ deps, accountId, query }) => auditChunks(deps.db, accountId, query),
    },
    handler: async ({ deps, accountId, query, url }) =>
      ok(presentPage(await listAuditEntries(deps.db, accountId, query), url(), presentAuditEntry)),
  }),
  route({
    method: 'GET',
    url: '/v2/audit-log/verify/',
    operationId: 'verifyAuditLog',
    summary: 'Verify the audit log: whether entries were changed or removed',
    description: 'Compares the hashes of up to 100,000 entries.',
    tag: 'Account',
    scope: 'audit:read',
    query: VerifyQuery,
    responses: { 200: AuditVerification },
    handler: async ({ deps, accountId, query }) =>
      ok(await verifyChain(deps.db, deps.vault, accountId, { ...query, most: mostVerified })),
  }),
];
