import type { EventData } from '../webhooks/index.ts';
import { ReportReady } from './schedules/schemas.ts';

export const reportEvents = { 'report.ready': ReportReady } satisfies EventData;
