export { startCalls } from './calls/carry-calls.ts';
export { type MissedCall, takeMissedAnyAccount } from './calls/missed-queries.ts';
export { announceCall } from './calls/receive.ts';
export { CallRecordQuery, cdrColumns, cdrRows } from './records/record-routes.ts';
export { recordingFile } from './records/recording.ts';
export { callRetention, eraseCalls, hasCallsWith, tasks as voiceTasks } from './retention.ts';
export { routes as voiceRoutes } from './routes.ts';
export { Call, callEvents } from './schemas.ts';
