export { makeInbox } from './inbox.ts';
export { purgePayloadsAnyAccount } from './payload-queries.ts';
export { startReading } from './reading.ts';
