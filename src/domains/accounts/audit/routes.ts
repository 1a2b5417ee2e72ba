import { route } from '../../../deps.ts';
import { verifyChain } from '../../../platform/http/audit-chain.ts';
import { presentPage } from '../../../platform/http/openapi/models.ts';
import { ok } from '../../../platform/http/route.ts';
import { auditChunks, listAuditEntries } from './queries.ts';
import { AuditPage, AuditQuery, AuditVerification, auditColumns, presentAuditEntry, VerifyQuery } from './schemas.ts';

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
