export { startCalls } from './calls/carry-calls.ts';
export { type MissedCall, takeMissedAnyAccount } from './calls/missed-queries.ts';
export { announceCall } from './calls/receive.ts';
export { eraseCalls, hasCallsWith } from './erase.ts';
export { CallRecordQuery, cdrColumns, cdrRows } from './records/record-routes.ts';
export { callRetention } from './retention.ts';
export { routes as voiceRoutes } from './routes.ts';
export { Call } from './schemas.ts';
export { tasks as voiceTasks } from './tasks.ts';
