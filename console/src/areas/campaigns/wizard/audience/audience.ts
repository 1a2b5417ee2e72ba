import { oneOf, type Schema } from '../../../../api/index.ts';
import { locale } from '../../../../parts/locale.ts';
import type { Campaign } from '../form.ts';

const figure = new Intl.NumberFormat(locale);

/** Whom these lists would reach now, for `useQuery`. */
export const audienceQuery = ({
  channel,
  lists,
  excluded_lists,
  segment,
}: Pick<Campaign, 'channel' | 'lists' | 'excluded_lists' | 'segment'>) => ({
  ...oneOf('/v2/campaigns/audience/', {}, { channel, lists, excluded_lists, segment: JSON.stringify(segment) }),
  enabled: lists.length > 0,
  staleTime: 10_000,
  retry: false,
});

/** `9,812 people; 188 have opted out`. */
export function sayAudience({ people, opted_out }: Schema<'CampaignAudience'>): string {
  const out = opted_out > 0 ? `; ${figure.format(opted_out)} ${opted_out === 1 ? 'has' : 'have'} opted out` : '';
  return `${figure.format(people)} ${people === 1 ? 'person' : 'people'}${out}`;
}
