import { Alert, Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconDownload, IconPlayerStop } from '@tabler/icons-react';
import { type Schema, urlOf, useAct, useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import { confirm, Facts, Id, Loaded, Page, Section, Status, Story, stepOf, Time } from '../../parts/index.ts';
import { JobFigures } from '../../parts/jobs/figures.tsx';
import { JobProgress } from '../../parts/jobs/progress.tsx';
import { Refusals, RefusedDownload } from '../../parts/jobs/refusals.tsx';
import { useJob } from '../../parts/jobs/use-job.ts';
import { isOver, makesFile, nameOf } from '../../parts/jobs/words.ts';
import { Results } from './results.tsx';

/** One job: how far it is, what came of it, item by item. */
export function JobDetail({ id }: { id: string }) {
  const query = useJob(id, ['/v3/jobs/{id}/results/', '/v2/events/']);
  useLiveRefresh(['job.'], ['/v3/jobs/{id}/']);
  const cancel = useAct('post', '/v3/jobs/{id}/cancel/', { invalidates: ['/v3/jobs/'], done: 'Cancelled.' });
  const ask = async () => {
    const text = 'Completed items are kept; the rest is not processed.';
    if (await confirm({ title: 'Cancel this job?', text, button: 'Cancel the job' })) cancel.mutate({ params: { id } });
  };
  return (
    <Loaded query={query} what="job">
      {(job) => (
        <Page
          title={nameOf(job.type)}
          aside={<Status word={job.status} />}
          trail={[{ title: 'Jobs', href: '/jobs' }]}
          actions={
            <>
              {!isOver(job.status) && cancel.may && (
                <Button
                  variant="light"
                  color="red"
                  leftSection={<IconPlayerStop size={16} />}
                  loading={cancel.isPending}
                  onClick={() => void ask()}
                >
                  Cancel
                </Button>
              )}
              {job.status === 'SUCCEEDED' && makesFile(job.type) && <FileButton job={job} />}
            </>
          }
        >
          <Shown job={job} />
        </Page>
      )}
    </Loaded>
  );
}

const words: Record<string, string> = {
  'job.queued': 'Submitted.',
  'job.started': 'Started.',
  'job.finished': 'Finished.',
  'job.cancelled': 'Cancelled.',
};
const week = 7 * 86_400_000;

function FileButton({ job }: { job: Schema<'JobDetail'> }) {
  if (job.finished && Date.now() - Date.parse(job.finished) > week)
    return (
      <Text size="sm" c="dimmed">
        The file was deleted after one week.
      </Text>
    );
  return (
    <Button
      component="a"
      href={urlOf('/v3/jobs/{id}/file/', { id: job.id })}
      download={`${job.type.replace('.', '-')}-${job.id.slice(0, 8)}.csv`}
      leftSection={<IconDownload size={16} />}
    >
      Download the file
    </Button>
  );
}

function Shown({ job }: { job: Schema<'JobDetail'> }) {
  const failed = Number((job.result as Record<string, unknown> | null)?.['failed'] ?? job.errors.length);
  // Of files, and of contacts, only what was refused is kept; that stands above already.
  const refusedOnly = job.type === 'contacts.import' || job.errors.some(({ line }) => line !== undefined);
  const events = useList('/v2/events/', { subject: job.id, ordering: 'created' });
  return (
    <Stack>
      <Section title="Progress">
        <Stack>
          <JobProgress job={job} label={nameOf(job.type)} />
          {job.status === 'FAILED' && (
            <Alert color="red" title="Error">
              {job.reason}
            </Alert>
          )}
          <JobFigures result={job.result} />
        </Stack>
      </Section>
      {job.errors.length > 0 && refusedOnly && (
        <Section title="Refused">
          <Refusals job={job} count={failed} />
        </Section>
      )}
      {!makesFile(job.type) && !refusedOnly && (
        <Section title="Results" actions={job.errors.length > 0 && <RefusedDownload job={job} />}>
          <Results job={job} />
        </Section>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Section title="Details">
          <Facts
            rows={[
              ['Submitted', <Time key="created" at={job.created} exact />],
              ['Began', <Time key="started" at={job.started} exact />],
              ['Ended', <Time key="finished" at={job.finished} exact />],
              ['Callback', job.callback_url ?? 'None'],
              ['Id', <Id key="id" id={job.id} />],
            ]}
          />
        </Section>
        <Section title="Timeline">
          <Story
            steps={events.rows.map((event) => ({ ...stepOf(event), text: words[event.kind] ?? stepOf(event).text }))}
            loading={events.isLoading}
          />
        </Section>
      </SimpleGrid>
    </Stack>
  );
}
