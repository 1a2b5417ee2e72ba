export { startCalls } from './carry-calls.ts';
export { announceCall } from './receive.ts';
export { CallRecordQuery, cdrColumns, cdrRows } from './record-routes.ts';
export { callRetention } from './retention.ts';
export { routes as voiceRoutes } from './routes.ts';
export { Call } from './schemas.ts';
export { tasks as voiceTasks } from './tasks.ts';
