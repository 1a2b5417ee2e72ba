import type { EventData } from '../webhooks/index.ts';
import { CampaignLog } from './logs/schemas.ts';

export const campaignEvents = {
  'campaign.started': CampaignLog,
  'campaign.completed': CampaignLog,
} satisfies EventData;
