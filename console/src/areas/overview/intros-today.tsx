import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useOne } from '../../api/index.ts';
import { useHere } from '../../parts/account.tsx';
import { dayStart } from '../../parts/day.ts';
import { Section } from '../../parts/index.ts';
import { FunnelBars } from '../../parts/intros/funnel-bars.tsx';
import { useSlowRefresh } from '../../parts/live/use-slow-refresh.ts';

/** How far people came today, with all intros together. */
export function IntrosToday({ today }: { today: string }) {
  const { timeZone } = useHere();
  const { data } = useOne('/v2/chatapp/chat-intros/funnel/', {}, { created_after: dayStart(today, timeZone) });
  useSlowRefresh(['chat_intro.'], ['/v2/chatapp/chat-intros/funnel/'], 5000);
  return (
    <Section
      title="Intros today"
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
