import { useQuery } from '@tanstack/react-query';
import { type ApiProblem, call, type Schema } from '../../../../api/index.ts';
import type { Campaign } from '../form.ts';

/** What somebody would get, as the server makes it; without a contact, the first of the audience. */
export const usePreview = (campaign: Campaign, contact: string | null) =>
  useQuery<Schema<'CampaignPreview'>, ApiProblem>({
    queryKey: ['/v2/campaigns/{uuid}/preview/', campaign.uuid, campaign.modified, contact],
    queryFn: ({ signal }) =>
      call('post', '/v2/campaigns/{uuid}/preview/', {
        params: { uuid: campaign.uuid },
        body: contact ? { contact } : {},
        signal,
      }),
    retry: false,
  });
