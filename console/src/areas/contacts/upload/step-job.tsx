import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useAct } from '../../../api/index.ts';
import { Loaded, Section, sayFigure } from '../../../parts/index.ts';
import { JobFigures } from '../../../parts/jobs/figures.tsx';
import { JobProgress } from '../../../parts/jobs/progress.tsx';
import { Refusals } from '../../../parts/jobs/refusals.tsx';
import { useJob } from '../../../parts/jobs/use-job.ts';
import { isOver } from '../../../parts/jobs/words.ts';

interface StepJobProps {
  id: string;
  isDryRun: boolean;
  isBusy: boolean;
  onBack(): void;
  onImport(): void;
  onAgain(): void;
  list: string;
}

/** The dry run, or the import itself: how far it is, what came of it, what was refused. */
export function StepJob({ id, isDryRun, isBusy, onBack, onImport, onAgain, list }: StepJobProps) {
  const job = useJob(id, isDryRun ? [] : ['/v2/contacts/', '/v2/lists/']);
  const cancel = useAct('post', '/v3/jobs/{id}/cancel/', { invalidates: ['/v3/jobs/'] });
  return (
    <Loaded query={job} what="job">
      {(data) => {
        const over = isOver(data.status);
        const { created = 0, updated = 0, failed = 0 } = (data.result ?? {}) as Record<string, number>;
        const title = isDryRun ? 'Import preview' : 'Import';
        return (
          <Stack>
            <Section title={title} {...(isDryRun && { description: 'Nothing has been imported yet.' })}>
              <Stack>
                <JobProgress job={data} label={title} />
                {data.status === 'FAILED' && <Alert color="red">{data.reason}</Alert>}
                {over && <JobFigures result={data.result} isDryRun={isDryRun} />}
              </Stack>
            </Section>
            {data.errors.length > 0 && (
              <Section
                title="Rejected rows"
                description={
                  isDryRun
                    ? 'These rows would be skipped. Fix the file and check again, or import the rest.'
                    : 'These rows were skipped.'
                }
              >
                <Refusals job={data} count={failed} />
              </Section>
            )}
            <Group justify="flex-end">
              {!over && (
                <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({ params: { id } })}>
                  Cancel
                </Button>
              )}
              {over && isDryRun && (
                <>
                  {data.status === 'SUCCEEDED' && created + updated === 0 && (
                    <Text size="sm" c="dimmed">
                      {list ? 'No contact would change; they would join the list.' : 'Nothing would change.'}
                    </Text>
                  )}
                  <Button variant="default" onClick={onBack}>
                    Back to columns
                  </Button>
                  <Button onClick={onImport} loading={isBusy} disabled={data.status !== 'SUCCEEDED'}>
                    {created + updated > 0 ? `Import ${sayFigure(created + updated)} contacts` : 'Import'}
                  </Button>
                </>
              )}
              {over && !isDryRun && (
                <>
                  <Button variant="default" onClick={onAgain}>
                    Choose another file
                  </Button>
                  <Button component={Link} href={list ? `/lists/${list}` : '/contacts'}>
                    {list ? 'View list' : 'View contacts'}
                  </Button>
                </>
              )}
            </Group>
          </Stack>
        );
      }}
    </Loaded>
  );
}
