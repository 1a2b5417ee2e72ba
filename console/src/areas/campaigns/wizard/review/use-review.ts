import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ApiProblem, call, type Schema } from '../../../../api/index.ts';
import type { Campaign } from '../form.ts';

export type Review = Schema<'CampaignReview'>;

/** What a launch of the saved campaign would do now. */
export const reviewQuery = (campaign: Campaign) =>
  queryOptions<Review, ApiProblem>({
    queryKey: ['/v2/campaigns/{uuid}/review/', campaign.uuid, campaign.modified, campaign.campaign_log],
    queryFn: ({ signal }) =>
      call('post', '/v2/campaigns/{uuid}/review/', { params: { uuid: campaign.uuid }, body: {}, signal }),
    retry: false,
    staleTime: 10_000,
  });

export const useReview = (campaign: Campaign) => useQuery(reviewQuery(campaign));

const figure = new Intl.NumberFormat('en');
export const sayPeople = (count: number): string => `${figure.format(count)} ${count === 1 ? 'person' : 'people'}`;

/** `£12.40`. */
export const sayCost = ({ amount, currency }: { amount: number; currency: string }): string => {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);
  } catch {
    return `${amount} ${currency}`;
  }
};

/** `It will go to 9,812 people; 188 have opted out.`, and what else is good to know before the button is pressed. */
export function sayReview(review: Review, sayMoment: (at: string) => string): string {
  const { people, left_out, held, received, cost } = review;
  const out = [
    left_out.opted_out > 0 &&
      `${figure.format(left_out.opted_out)} ${left_out.opted_out === 1 ? 'has' : 'have'} opted out`,
    left_out.window_closed > 0 && `${figure.format(left_out.window_closed)} did not write within a day`,
  ].filter(Boolean);
  const sentences = [
    `It will go to ${sayPeople(people)}${out.length > 0 ? `; ${out.join(', ')}` : ''}.`,
    received.people > 0 && `${sayPeople(received.people)} already got it from an earlier launch and will get it again.`,
    held && `Quiet hours hold it for ${sayPeople(held.people)} until ${sayMoment(held.from)}.`,
    cost && `It costs about ${sayCost(cost)}.`,
  ];
  return sentences.filter(Boolean).join(' ');
}
