export { purgeAuditLogAnyAccount } from './audit-queries.ts';
export { makeAuthenticator } from './authenticate.ts';
export { type Bootstrapped, bootstrap } from './bootstrap.ts';
export { purgeSignInsAnyAccount } from './guess-queries.ts';
export { findAccount, purgeSessionsAnyAccount } from './queries.ts';
export { refuseOthersThanOperator } from './refuse-others.ts';
export { findRetentionsAnyAccount } from './retention-queries.ts';
export { routes as accountRoutes } from './routes.ts';
export {
  countStored,
  isOverQuota,
  recountStorageAnyAccount,
  refuseWithoutRoom,
  roomOf,
  takeRoom,
  withinRoom,
} from './storage.ts';
export { makeTokenUses } from './token-uses.ts';
