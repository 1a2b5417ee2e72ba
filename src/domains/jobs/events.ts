import type { EventData } from '../webhooks/index.ts';
import { JobDetail } from './schemas.ts';

export const jobEvents = { 'job.finished': JobDetail } satisfies EventData;
