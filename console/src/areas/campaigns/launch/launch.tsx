import { Alert, Button, SimpleGrid, Stack, Tabs } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { urlOf, useOne } from '../../../api/index.ts';
import { useLiveRefresh } from '../../../live/index.ts';
import { usePolling } from '../../../parts/campaigns/use-polling.ts';
import { Loaded, Section, sayFigure, Time } from '../../../parts/index.ts';
import type { LogDetail } from '../wizard/shares.ts';
import { Clicks } from './clicks.tsx';
import { Counters } from './counters.tsx';
import { Failures } from './failures.tsx';
import { FunnelChart } from './funnel-chart.tsx';
import { LaunchStory } from './launch-story.tsx';
import { OptedOut } from './opted-out.tsx';
import { Outcomes } from './outcomes.tsx';
import { RateChart } from './rate-chart.tsx';
import { Recipients } from './recipients.tsx';

/** A launch as it goes: figures, chart, and who got what. */
export function Launch({ uuid }: { uuid: string }) {
  const query = useOne('/v2/campaign-logs/{uuid}/', { uuid });
  const status = query.data?.status;
  useLiveRefresh(['campaign.'], ['/v2/campaign-logs/{uuid}/']);
  usePolling(status === 'RUNNING' || status === 'SCHEDULED', ['/v2/campaign-logs/{uuid}/']);
  // What has left is still delivered, read and answered after the end.
  usePolling(status === 'COMPLETED' || status === 'CANCELLED', ['/v2/campaign-logs/{uuid}/'], 10_000);
  usePolling(status === 'PAUSED', ['/v2/campaign-logs/{uuid}/'], 5000);
  return (
    <Loaded query={query} what="launch">
      {(log) => <Shown log={log} />}
    </Loaded>
  );
}

function Shown({ log }: { log: LogDetail }) {
  const { uuid, reason, status } = log;
  return (
    <Stack>
      {reason && status === 'PAUSED' && (
        <Alert color="orange" title={log.paused_by ? `Paused by ${log.paused_by.name}` : 'It paused itself'}>
          {log.paused_by && reason === 'Paused by the account.'
            ? 'Nothing more is sent until somebody resumes it. What has left is still delivered, read and answered.'
            : reason}
        </Alert>
      )}
      {log.held > 0 && log.held_until && (status === 'RUNNING' || status === 'PAUSED') && (
        <Alert color="blue" title="Held by quiet hours">
          {sayFigure(log.held)} {log.held === 1 ? 'person is' : 'people are'} in quiet hours. The first get it{' '}
          <Time at={log.held_until} exact />.
        </Alert>
      )}
      <Counters log={log} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Section title="Recipients by status">
          <Outcomes log={log} />
        </Section>
        <Section title="Funnel">
          <FunnelChart log={log} />
        </Section>
      </SimpleGrid>
      <Section title="Messages per minute">
        <RateChart log={log} />
      </Section>
      <Section
        title="Log"
        actions={
          <Button
            component="a"
            href={urlOf('/v2/campaign-logs/{uuid}/export/', { uuid })}
            download={`launch-${uuid.slice(0, 8)}.csv`}
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} />}
          >
            Export
          </Button>
        }
      >
        <Tabs defaultValue="recipients" keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="recipients">Messages</Tabs.Tab>
            <Tabs.Tab value="failures">Failures ({log.failed})</Tabs.Tab>
            <Tabs.Tab value="replies">Replies ({log.replied})</Tabs.Tab>
            <Tabs.Tab value="clicks">Clicks ({log.clicked})</Tabs.Tab>
            <Tabs.Tab value="opted-out">Opted out ({log.opted_out})</Tabs.Tab>
            <Tabs.Tab value="story">Timeline</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="recipients">
            <Recipients log={log} direction="OUTBOUND" />
          </Tabs.Panel>
          <Tabs.Panel value="failures">
            <Failures log={log} />
          </Tabs.Panel>
          <Tabs.Panel value="replies">
            <Recipients log={log} direction="INBOUND" />
          </Tabs.Panel>
          <Tabs.Panel value="clicks">
            <Clicks log={log} />
          </Tabs.Panel>
          <Tabs.Panel value="opted-out">
            <OptedOut log={log} />
          </Tabs.Panel>
          <Tabs.Panel value="story">
            <LaunchStory log={log} />
          </Tabs.Panel>
        </Tabs>
      </Section>
    </Stack>
  );
}
