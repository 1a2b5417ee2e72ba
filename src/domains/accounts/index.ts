export { auditEvents } from './audit/events.ts';
export { listAllAuditEntries, listEveryAccountAnyAccount, purgeAuditLogAnyAccount } from './audit/queries.ts';
export { presentAuditEntry } from './audit/schemas.ts';
export { type Bootstrapped, bootstrap } from './bootstrap.ts';
export { purgeChallengesAnyAccount } from './factors/challenges.ts';
export { purgeInvitationsAnyAccount } from './invitations/queries.ts';
export { type KeywordSettings, keywordSettings } from './keyword-settings.ts';
export { findNotifyTemplate, NotifyTemplate } from './notify-template.ts';
export { countriesOf, countryOf, phoneReader, readPhones } from './phones.ts';
export { findAccount, purgeSessionsAnyAccount } from './queries.ts';
export { redactingOf } from './redaction.ts';
export { refuseOthersThanOperator } from './refuse-others.ts';
export { daysOf, findRetentionsAnyAccount, type Retentions } from './retention-queries.ts';
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
export type { AccountPrices } from './schemas.ts';
export { serveScim } from './scim/serve.ts';
export { forgetGuesses, purgeSignInsAnyAccount } from './sessions/guess-queries.ts';
export { isHeld, isHeldSql, isHeldText } from './standing.ts';
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
export { makeTokenUses } from './tokens/uses.ts';
export {
  createUserAnyAccount,
  listUsersAnyAccount,
  refusalOf as refusalOfUser,
  resetFactorsAnyAccount,
  setPasswordAnyAccount,
} from './users/by-operator.ts';
