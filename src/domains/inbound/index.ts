export { inboundEvents } from './events.ts';
export { makeInbox } from './inbox.ts';
export { purgePayloadsAnyAccount } from './payload-queries.ts';
export { startReading } from './reading.ts';
export { tasks as inboundTasks } from './route/route.ts';
export { smsHooks } from './sms.ts';
