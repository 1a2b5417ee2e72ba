import type { EventData } from '../webhooks/index.ts';
import { LeadRecord } from './schemas.ts';

export const leadEvents = {
  'chatapp.lead.created': LeadRecord,
  'chatapp.lead.updated': LeadRecord,
} satisfies EventData;
