import { Anchor, Grid, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { IconBuildingBroadcastTower, IconMessage, IconPhone, IconUserCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Schema, useOne } from '../../api/index.ts';
import { useHere } from '../../parts/account.tsx';
import type { StatProps } from '../../parts/chart/stat.tsx';
import { May, Page, Section, Stat, Story, sayFigure, useMay } from '../../parts/index.ts';
import { useSlowRefresh } from '../../parts/live/use-slow-refresh.ts';
import { locale } from '../../parts/locale.ts';
import { WhenSeen } from '../../parts/page/when-seen.tsx';
import { hrefOf } from '../../parts/range/figures.ts';
import { RangeField, useRange } from '../../parts/range/range.tsx';
import { change, type Span, todayIn } from '../../parts/range/span.ts';
import { Campaigns } from './campaigns.tsx';
import { Counts } from './counts.tsx';
import { FirstSteps, useFirstSteps } from './first-steps.tsx';
import { GoLive, ShowGoLive, useGoLive } from './go-live.tsx';
import { Intros } from './intros.tsx';
import { Ledger } from './ledger.tsx';
import { Network } from './network.tsx';
import { OverTime } from './over-time.tsx';
import classes from './overview.module.css';
import { Queues } from './queues.tsx';
import { sayLatest } from './say-event.tsx';
import { useLatest } from './use-latest.ts';

const events = ['message.', 'sms.', 'call.', 'chat_intro.', 'lead.'];

/** What goes on, at a glance: today, or other days beside those before. Every figure leads to its list. */
export default function Overview() {
  const { timeZone } = useHere();
  const { range, set } = useRange(1);
  const isToday = range.from === range.to && range.to === todayIn(timeZone);
  const summary = useOne('/v2/reports/summary/', {}, { ...range }, { enabled: useMay('insight:read') });
  const { data } = summary;
  const isGuideKnown = useGuideKnown();
  const [isBegun, setBegun] = useState(false);
  // What stands on top is only known when it is asked for: shown before, the rest would be pushed down under somebody's pointer.
  if (!isBegun && isGuideKnown && !summary.isLoading) setBegun(true);
  useSlowRefresh(events, ['/v2/reports/'], 2000);
  const { messages, sms, calls, leads, intros } = data?.metrics ?? {};
  return (
    <Page title="Overview" description={isToday ? 'Today, as it happens.' : 'These days at a glance.'}>
      {!isBegun && <Skeleton h={640} aria-busy="true" />}
      {isBegun && (
        <Stack gap="lg">
          <May scope="account:read">
            <FirstSteps />
            <GoLive />
          </May>
          <May scope="insight:read">
            <RangeField range={range} set={set} />
            <SimpleGrid cols={{ base: 2, md: 4 }}>
              <Tile label="Chat messages" icon={IconMessage} total={messages} hint={messages && inAndOut(messages)} />
              <Tile label="SMS" icon={IconBuildingBroadcastTower} total={sms} hint={sms && inAndOut(sms)} />
              <Tile
                label="Calls"
                icon={IconPhone}
                total={calls}
                hint={calls && `${sayFigure(calls.counts['ANSWERED'] ?? 0)} answered`}
              />
              <Tile
                label="Leads"
                icon={IconUserCheck}
                total={leads}
                hint={intros && `${sayFigure(intros.counts['CONNECTED'] ?? 0)} connected with an agent`}
              />
            </SimpleGrid>
            {data?.compared_with && (
              <Text size="xs" c="dimmed" mt="-xs">
                Compared with {sayDays(data.compared_with)}.
              </Text>
            )}
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
              <Counts title="Chat messages by status" total={messages} />
              <Counts title="SMS by status" total={sms} />
              <Counts title="Calls by result" total={calls} />
            </SimpleGrid>
          </May>
          <Grid gap="lg">
            <May scope="chatapp:read">
              <Grid.Col span={{ base: 12, lg: 7 }}>
                <WhenSeen height={320}>
                  <Intros span={range} isToday={isToday} />
                </WhenSeen>
              </Grid.Col>
            </May>
            <May scope="campaigns:read">
              <Grid.Col span={{ base: 12, lg: 5 }}>
                <WhenSeen height={320}>
                  <Campaigns />
                </WhenSeen>
              </Grid.Col>
            </May>
            <May scope="insight:read">
              <Grid.Col span={12}>
                <WhenSeen height={320}>
                  <OverTime range={range} />
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
          <May scope="account:read">
            <ShowGoLive />
          </May>
        </Stack>
      )}
    </Page>
  );
}

/** Whether it is known which of the guides above the figures are shown. */
function useGuideKnown(): boolean {
  const may = useMay('account:read');
  const first = useFirstSteps(may);
  const goLive = useGoLive(may);
  return !first.isLoading && !goLive.isLoading;
}

function LatestEvents() {
  const latest = useLatest();
  return (
    <Section title="Latest events">
      <Story steps={sayLatest(latest.events, 12)} loading={latest.isLoading} />
    </Section>
  );
}

type Total = Schema<'ReportTotal'>;

const inAndOut = ({ count, counts }: Total): string => {
  const received = counts['RECEIVED'] ?? 0;
  return `${sayFigure(count - received)} out, ${sayFigure(received)} in`;
};

const sayDays = ({ from, to }: Span): string => {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return from === to ? format.format(new Date(from)) : format.formatRange(new Date(from), new Date(to));
};

/** A figure beside what it was before, which leads to its list. */
function Tile({ total, ...stat }: Pick<StatProps, 'label' | 'icon' | 'hint'> & { total: Total | undefined }) {
  const { timeZone } = useHere();
  return (
    <Anchor
      component={Link}
      href={total ? hrefOf(total.list, timeZone) : '/'}
      underline="never"
      c="inherit"
      className={classes['tile']}
    >
      <Stat {...stat} value={total?.count} delta={total && change(total.count, total.previous?.count)} />
    </Anchor>
  );
}
