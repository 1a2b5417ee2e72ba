import { useIntersection } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { oneOf } from '../../api/index.ts';
import { type Funnel, sayShare } from '../../parts/intros/funnel.ts';
import { locale } from '../../parts/locale.ts';
import { loadFunnel } from './load-funnel.ts';

const figure = new Intl.NumberFormat(locale);

/** A figure of an intro's funnel. It is asked for when it comes into sight; all in sight share one request. */
export function FunnelCell({ uuid, of }: { uuid: string; of(funnel: Funnel): number | string | null }) {
  const { ref, entry } = useIntersection<HTMLDivElement>();
  const { data, error } = useQuery({
    ...oneOf('/v2/chatapp/chat-intros/{uuid}/funnel/', { uuid }),
    queryFn: () => loadFunnel(uuid),
    enabled: entry?.isIntersecting ?? false,
  });
  const value = data && of(data);
  const quiet = !value;
  // Plain elements: a screen of intros has a hundred of these.
  return (
    <div ref={ref} style={{ minWidth: '2rem', ...(quiet && { color: 'var(--mantine-color-dimmed)' }) }}>
      {typeof value === 'number' ? figure.format(value) : (value ?? (data || error ? '–' : '…'))}
    </div>
  );
}

/** Connected of started, in words. */
export const conversionOf = ({ bparty_contacted, aparty_connected, matched }: Funnel): string | null =>
  matched > 0 ? sayShare(Math.max(bparty_contacted, aparty_connected) / matched) : null;
