import type { EventData } from '../webhooks/index.ts';
import { MessageTemplate } from './schemas.ts';

export const templateEvents = { 'chatapp.template.status': MessageTemplate } satisfies EventData;
