import { route } from '../../../deps.ts';
import { presentPage } from '../../../platform/http/openapi/models.ts';
import { ok } from '../../../platform/http/route.ts';
import { auditChunks, listAuditEntries } from './queries.ts';
import { AuditPage, AuditQuery, auditColumns, presentAuditEntry } from './schemas.ts';

export const auditRoutes = [
  route({
    method: 'GET',
    url: '/v2/audit-log/',
    operationId: 'listAuditLog',
    summary: 'List the audit log: who changed what, and who signed in',
    description:
      'Every successful change of settings and data, and every sign-in, including failed ones. Messages, calls and other ' +
      'traffic are in the timeline instead.',
    tag: 'Account',
    scope: 'account:read',
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
];
