import { Anchor, Grid, SimpleGrid, Stack } from '@mantine/core';
import { IconBuildingBroadcastTower, IconMessage, IconPhone, IconUserCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useOne } from '../../api/index.ts';
import { useHere } from '../../parts/account.tsx';
import { May, Page, Section, Stat, Story, sayFigure } from '../../parts/index.ts';
import { useSlowRefresh } from '../../parts/live/use-slow-refresh.ts';
import { WhenSeen } from '../../parts/page/when-seen.tsx';
import { Campaigns } from './campaigns.tsx';
import { Counts } from './counts.tsx';
import { dayOf, sum } from './days.ts';
import { FirstSteps } from './first-steps.tsx';
import { IntrosToday } from './intros-today.tsx';
import { Ledger } from './ledger.tsx';
import { Network } from './network.tsx';
import { OverTime } from './over-time.tsx';
import classes from './overview.module.css';
import { Queues } from './queues.tsx';
import { sayLatest } from './say-event.tsx';
import { useLatest } from './use-latest.ts';

const events = ['message.', 'sms.', 'call.', 'chat_intro.', 'lead.'];

/** What goes on, at a glance. Every tile leads to its area. */
export default function Overview() {
  const { timeZone } = useHere();
  const today = dayOf(new Date(), timeZone);
  const { data } = useOne('/v2/insights/', {}, { from: today, to: today });
  useSlowRefresh(events, ['/v2/insights/'], 2000);
  const chat = data?.messages;
  const calls = data && sum(data.inbound_calls) + sum(data.outbound_calls);
  return (
    <Page title="Overview" description="Today, as it happens.">
      <Stack gap="lg">
        <May scope="account:read">
          <FirstSteps />
        </May>
        <May scope="insight:read">
          <SimpleGrid cols={{ base: 2, md: 4 }}>
            <Tile href="/messages">
              <Stat
                label="Chat messages"
                icon={IconMessage}
                value={chat && sum(chat)}
                hint={chat && `${sayFigure(sum(chat) - chat.RECEIVED)} out, ${sayFigure(chat.RECEIVED)} in`}
              />
            </Tile>
            <Tile href="/sms">
              <Stat
                label="SMS"
                icon={IconBuildingBroadcastTower}
                value={data && sum(data.sms)}
                hint={data && `${sayFigure(sum(data.sms) - data.sms.RECEIVED)} out, ${sayFigure(data.sms.RECEIVED)} in`}
              />
            </Tile>
            <Tile href="/calls">
              <Stat
                label="Calls"
                icon={IconPhone}
                value={calls}
                hint={data && `${sayFigure(sum(data.outbound_calls))} out, ${sayFigure(sum(data.inbound_calls))} in`}
              />
            </Tile>
            <Tile href="/leads">
              <Stat
                label="Leads"
                icon={IconUserCheck}
                value={data?.leads}
                hint={data && `${sayFigure(data.intros.connected)} connected with an agent`}
              />
            </Tile>
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            <Counts
              title="Chat messages by status"
              href="/messages"
              counts={data?.messages}
              linkOf={(word) => `/messages?status=${word}`}
            />
            <Counts title="SMS by status" href="/sms" counts={data?.sms} linkOf={(word) => `/sms?status=${word}`} />
            <Counts
              title="Calls by result"
              href="/calls"
              counts={data && both(data.inbound_calls, data.outbound_calls)}
              linkOf={(word) => `/calls?result=${word}`}
            />
          </SimpleGrid>
        </May>
        <Grid gap="lg">
          <May scope="chatapp:read">
            <Grid.Col span={{ base: 12, lg: 7 }}>
              <IntrosToday today={today} />
            </Grid.Col>
          </May>
          <May scope="campaigns:read">
            <Grid.Col span={{ base: 12, lg: 5 }}>
              <Campaigns />
            </Grid.Col>
          </May>
          <May scope="insight:read">
            <Grid.Col span={12}>
              <WhenSeen height={320}>
                <OverTime today={today} />
              </WhenSeen>
            </Grid.Col>
          </May>
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <Stack gap="lg">
              <May scope="chatapp:read">
                <WhenSeen height={240}>
                  <Queues />
                </WhenSeen>
              </May>
              <WhenSeen height={200}>
                <Network />
              </WhenSeen>
              <May scope="account:read">
                <WhenSeen height={240}>
                  <Ledger />
                </WhenSeen>
              </May>
            </Stack>
          </Grid.Col>
          <May scope="account:read">
            <Grid.Col span={{ base: 12, lg: 5 }}>
              <WhenSeen height={480}>
                <LatestEvents />
              </WhenSeen>
            </Grid.Col>
          </May>
        </Grid>
      </Stack>
    </Page>
  );
}

function LatestEvents() {
  const latest = useLatest();
  return (
    <Section title="Latest events">
      <Story steps={sayLatest(latest.events, 12)} loading={latest.isLoading} />
    </Section>
  );
}

function both(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(one).map(([word, count]) => [word, count + (other[word] ?? 0)]));
}

const Tile = ({ href, children }: { href: string; children: ReactNode }) => (
  <Anchor component={Link} href={href} underline="never" c="inherit" className={classes['tile']}>
    {children}
  </Anchor>
);
