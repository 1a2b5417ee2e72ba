import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useOne } from '../../api/index.ts';
import { useHere } from '../../parts/account.tsx';
import { dayEnd, dayStart } from '../../parts/day.ts';
import { Section } from '../../parts/index.ts';
import { FunnelBars } from '../../parts/intros/funnel-bars.tsx';
import { useSlowRefresh } from '../../parts/live/use-slow-refresh.ts';
import type { Span } from '../../parts/range/span.ts';

/** How far people came in these days, with all intros together. */
export function Intros({ span, isToday }: { span: Span; isToday: boolean }) {
  const { timeZone } = useHere();
  const query = {
    created_after: dayStart(span.from, timeZone),
    ...(!isToday && { created_before: dayEnd(span.to, timeZone) }),
  };
  const { data } = useOne('/v2/chatapp/chat-intros/funnel/', {}, query);
  useSlowRefresh(['chat_intro.'], ['/v2/chatapp/chat-intros/funnel/'], 5000);
  return (
    <Section
      title={isToday ? 'Intros today' : 'Intros'}
      actions={
        <Anchor component={Link} href="/intros" size="sm">
          All intros
        </Anchor>
      }
    >
      <FunnelBars funnel={data} />
    </Section>
  );
}
