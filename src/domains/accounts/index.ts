export { listAllAuditEntries, listEveryAccountAnyAccount, purgeAuditLogAnyAccount } from './audit/queries.ts';
export { auditEvents, presentAuditEntry } from './audit/routes.ts';
export { type Bootstrapped, bootstrap } from './bootstrap.ts';
export { purgeChallengesAnyAccount } from './factors/challenges.ts';
export { purgeInvitationsAnyAccount } from './invitations/queries.ts';
export {
  daysOf,
  findAccount,
  findNotifyTemplate,
  findRetentionsAnyAccount,
  oldBefore,
  type Retention,
} from './queries.ts';
export { refuseOthersThanOperator } from './roles/rights.ts';
export { routes as accountRoutes } from './routes.ts';
export {
  findSandboxModes,
  goLive,
  isUsable,
  type SandboxMode,
  sandboxMode,
  sandboxModes,
  sandboxOff,
  type WentLive,
  whileSandboxIsOn,
} from './sandbox.ts';
export { type AccountPrices, NotifyTemplate } from './schemas.ts';
export { serveScim } from './scim/serve.ts';
export { forgetGuesses, purgeSignInsAnyAccount } from './sessions/guesses.ts';
export {
  countriesOf,
  countryOf,
  type KeywordSettings,
  keywordSettings,
  phoneReader,
  readPhones,
  redactingOf,
} from './settings.ts';
export { isInactive, isInactiveSql, isInactiveText } from './standing.ts';
export {
  countStored,
  isOverQuota,
  recountStorageAnyAccount,
  refuseWithoutRoom,
  roomOf,
  takeRoom,
  withinRoom,
} from './storage.ts';
export { setStanding } from './tenants/change.ts';
export { hasTenantAnyAccount, removeTenantAnyAccount } from './tenants/queries.ts';
export { makeAuthenticator } from './tokens/authenticate.ts';
export { purgeSessionsAnyAccount } from './tokens/queries.ts';
export { makeTokenUses } from './tokens/uses.ts';
export {
  createUserAnyAccount,
  listUsersAnyAccount,
  refusalOf as refusalOfUser,
  resetFactorsAnyAccount,
  setPasswordAnyAccount,
} from './users/by-operator.ts';
