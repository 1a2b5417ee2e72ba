import { useIntersection } from '@mantine/hooks';
import { useOne } from '../../api/index.ts';
import { type Funnel, sayShare } from './funnel.ts';

const figure = new Intl.NumberFormat('en');

/** A figure of an intro's funnel. It is asked for when it comes into sight; the cells of a row share one request. */
export function FunnelCell({ uuid, of }: { uuid: string; of(funnel: Funnel): number | string | null }) {
  const { ref, entry } = useIntersection<HTMLDivElement>();
  const { data, error } = useOne(
    '/v2/chatapp/chat-intros/{uuid}/funnel/',
    { uuid },
    {},
    { enabled: entry?.isIntersecting ?? false },
  );
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
