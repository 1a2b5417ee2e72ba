import { Type } from 'typebox';
import { pageQuery } from '../../../platform/db/page.ts';
import { PageOf, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import type { AuditRow } from './queries.ts';

export const AuditQuery = Type.Object({
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
});

/** A table has no objects within: the actor takes three columns. */
export const auditColumns = [
  ...['uuid', 'created', 'actor_type', 'actor_uuid', 'actor_name', 'operation', 'summary'],
  ...['method', 'path', 'status', 'address', 'request_id'],
];
