import type { EventData } from '../webhooks/index.ts';
import { SmsRecord } from './schemas.ts';

export const smsEvents = { 'sms.received': SmsRecord, 'sms.status': SmsRecord } satisfies EventData;
