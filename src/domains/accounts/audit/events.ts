import { AuditEntry } from './schemas.ts';

/** Accounts stand below webhooks, so that this cannot say for itself that it is event data; `app.ts` does. */
export const auditEvents = { 'audit.entry': AuditEntry };
