import { Anchor, Group, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { type Row, useList } from '../../api/index.ts';
import { EmptyState, Section, Status, sayFigure, Time } from '../../parts/index.ts';
import { useSlowRefresh } from '../../parts/live/use-slow-refresh.ts';

type Log = Row<'/v2/campaign-logs/'>;
const shown = 5;
const going = ['RUNNING', 'PAUSED', 'SCHEDULED'];

/** The latest launches: those under way first. */
export function Campaigns() {
  const logs = useList('/v2/campaign-logs/', undefined, { pageSize: 20 });
  useSlowRefresh(['campaign.', 'message.', 'sms.'], ['/v2/campaign-logs/'], 3000);
  const rank = ({ status }: Log): number => (going.includes(status) ? going.indexOf(status) : going.length);
  const sorted = logs.rows.toSorted((one, other) => rank(one) - rank(other)).slice(0, shown);
  return (
    <Section
      title="Campaigns"
      actions={
        <Anchor component={Link} href="/campaigns" size="sm">
          All campaigns
        </Anchor>
      }
    >
      {logs.isLoading && <Skeleton h={160} />}
      {!logs.isLoading && sorted.length === 0 && (
        <EmptyState title="No launches yet." hint="A campaign sends a template or an SMS to your lists." />
      )}
      <Stack gap="md">
        {sorted.map((log) => (
          <Launch key={log.uuid} log={log} />
        ))}
      </Stack>
    </Section>
  );
}

function Launch({ log }: { log: Log }) {
  const { audience, queued, held, failed } = log;
  const done = audience === null ? 0 : audience - queued - held;
  const share = audience ? (done / audience) * 100 : 0;
  const bad = audience ? (failed / audience) * 100 : 0;
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" gap="xs" mb={4}>
        <Anchor component={Link} href={`/campaigns/${log.campaign}/launches/${log.uuid}`} size="sm" fw={500} truncate>
          {log.name}
        </Anchor>
        <Status word={log.status} />
      </Group>
      <Progress.Root size="md">
        <Progress.Section value={share - bad} aria-label={`${log.name}: ${Math.round(share)} percent done`} />
        <Progress.Section value={bad} color="red" aria-label={`${log.name}: ${failed} failed`} />
      </Progress.Root>
      <Text size="xs" c="dimmed" mt={4} component="div">
        {audience === null ? 'Not counted yet' : `${sayFigure(done)} of ${sayFigure(audience)}`}
        {failed > 0 && `, ${sayFigure(failed)} failed`}
        {log.status === 'RUNNING' && log.rate > 0 && `, ${log.rate} a second`}
        {log.status === 'RUNNING' && log.eta && (
          <>
            , done <Time at={log.eta} />
          </>
        )}
        {log.status === 'SCHEDULED' && (
          <>
            , begins <Time at={log.send_at} />
          </>
        )}
      </Text>
    </div>
  );
}
