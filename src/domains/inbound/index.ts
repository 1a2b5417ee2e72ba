export { makeInbox, smsHooks } from './inbox.ts';
export { purgePayloadsAnyAccount } from './payload-queries.ts';
export { startStoringAgain } from './payloads.ts';
export { startReading } from './reading.ts';
export { inboundEvents, tasks as inboundTasks } from './route.ts';
