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
        const title = isDryRun ? 'What the import would do' : 'Import';
        return (
          <Stack>
            <Section title={title} {...(isDryRun && { description: 'Nothing has been written yet.' })}>
              <Stack>
                <JobProgress job={data} label={title} />
                {data.status === 'FAILED' && <Alert color="red">{data.reason}</Alert>}
                {over && <JobFigures result={data.result} isDryRun={isDryRun} />}
              </Stack>
            </Section>
            {data.errors.length > 0 && (
              <Section
                title="Refused lines"
                description={
                  isDryRun
                    ? 'These lines would be left out. Mend the file and check it again, or import the others.'
                    : 'These lines were left out.'
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
                    Back to the columns
                  </Button>
                  <Button onClick={onImport} loading={isBusy} disabled={data.status !== 'SUCCEEDED'}>
                    {created + updated > 0 ? `Import ${sayFigure(created + updated)} contacts` : 'Import'}
                  </Button>
                </>
              )}
              {over && !isDryRun && (
                <>
                  <Button variant="default" onClick={onAgain}>
                    Another file
                  </Button>
                  <Button component={Link} href={list ? `/lists/${list}` : '/contacts'}>
                    {list ? 'Open the list' : 'See the contacts'}
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
