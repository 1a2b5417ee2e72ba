import { Anchor, Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { urlOf } from '../../api/client.ts';
import { type Row, useAct, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { confirm, EmptyState, May, Page, Section, Time } from '../../parts/index.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { metrics, sayGrouping } from './words.ts';

type Schedule = Row<'/v2/report-schedules/'>;

const path = '/v2/report-schedules/';

/** Reports that are made again and again, with the files of the last ones. */
export function SchedulesPage() {
  const [opened, { open, close }] = useDisclosure();
  const [edited, setEdited] = useState<Schedule>();
  const list = useList(path);
  // A report that is ready ends its job.
  useLiveRefresh(['job.', 'report.'], [path]);
  const show = (schedule?: Schedule) => {
    setEdited(schedule);
    open();
  };
  const add = (
    <May>
      <Button onClick={() => show()}>New schedule</Button>
    </May>
  );
  return (
    <Page
      title="Scheduled reports"
      description="Made by themselves, kept for a week, and announced to your webhooks as report.ready."
      trail={[{ title: 'Reports', href: '/reports' }]}
      actions={add}
    >
      <Stack>
        {list.count === 0 && (
          <EmptyState title="No schedules yet." hint="Have a report made every day, week or month." action={add} />
        )}
        {list.rows.map((schedule) => (
          <Shown key={schedule.uuid} schedule={schedule} edit={() => show(schedule)} />
        ))}
      </Stack>
      <ScheduleDialog key={edited?.uuid ?? 'new'} schedule={edited} opened={opened} close={close} />
    </Page>
  );
}

const sayRhythm = ({ every, weekday, hour }: Schedule): string => {
  const at = `at ${String(hour).padStart(2, '0')}:00`;
  if (every === 'day') return `Every day ${at}`;
  if (every === 'month') return `On the first of the month ${at}`;
  return `Every ${weekday.charAt(0).toUpperCase()}${weekday.slice(1)} ${at}`;
};

function Shown({ schedule, edit }: { schedule: Schedule; edit(): void }) {
  const { uuid, name } = schedule;
  const run = useAct('post', '/v2/report-schedules/{uuid}/run/', {
    invalidates: [path],
    done: 'The report is being made.',
  });
  const remove = useAct('delete', '/v2/report-schedules/{uuid}/', { invalidates: [path], done: 'Deleted.' });
  const ask = async () => {
    const text = 'No more reports are made. Files that were made stay with their jobs for a week.';
    if (await confirm({ title: `Delete the schedule “${name}”?`, text, button: 'Delete' })) {
      remove.mutate({ params: { uuid } });
    }
  };
  return (
    <Section
      title={name}
      description={
        <>
          {metrics[schedule.metric].label} by {sayGrouping(schedule.group_by).toLowerCase()}. {sayRhythm(schedule)}.{' '}
          {schedule.next_run ? (
            <>
              Next: <Time at={schedule.next_run} />
            </>
          ) : (
            <Badge variant="light" color="gray">
              Off
            </Badge>
          )}
        </>
      }
      actions={
        <May>
          <Button size="xs" variant="default" loading={run.isPending} onClick={() => run.mutate({ params: { uuid } })}>
            Run now
          </Button>
          <Button size="xs" variant="default" onClick={edit}>
            Edit
          </Button>
          <Button size="xs" variant="light" color="red" loading={remove.isPending} onClick={() => void ask()}>
            Delete
          </Button>
        </May>
      }
    >
      <Runs schedule={schedule} />
    </Section>
  );
}

function Runs({ schedule }: { schedule: Schedule }) {
  const runs = useList('/v2/report-schedules/{uuid}/runs/', undefined, {
    params: { uuid: schedule.uuid },
    pageSize: 5,
  });
  if (runs.count === 0) return <Text c="dimmed">No reports yet.</Text>;
  return (
    <Table aria-label={`Reports of ${schedule.name}`}>
      <Table.Tbody>
        {runs.rows.slice(0, 5).map((run) => (
          <Table.Tr key={run.uuid}>
            <Table.Th scope="row" fw={500}>
              {run.from === run.to ? run.from : `${run.from} – ${run.to}`}
            </Table.Th>
            <Table.Td>{run.ready ? <Time at={run.ready} /> : 'Being made'}</Table.Td>
            <Table.Td ta="right">
              <Group justify="flex-end">
                {run.ready && (
                  <Anchor href={urlOf('/v3/jobs/{id}/file/', { id: run.uuid })} download size="sm">
                    Download
                  </Anchor>
                )}
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
