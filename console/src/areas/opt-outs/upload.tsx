import { Alert, Anchor, Button, Code, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useAct } from '../../api/index.ts';
import { FileDrop } from '../../parts/fields/file-drop.tsx';
import { Loaded, Page, Section, saveCsv } from '../../parts/index.ts';
import { JobFigures } from '../../parts/jobs/figures.tsx';
import { JobProgress } from '../../parts/jobs/progress.tsx';
import { Refusals } from '../../parts/jobs/refusals.tsx';
import { useJob } from '../../parts/jobs/use-job.ts';
import { isOver } from '../../parts/jobs/words.ts';

const sample = [
  ['phone_number', 'channel', 'text'],
  ['+44 7700 900141', 'ALL', 'Asked at the front desk on 3 November'],
  ['+44 7700 900142', 'SMS', 'Wrote a letter'],
];

/** Opts out everybody in a CSV file. */
export function UploadOptOuts() {
  const [job, setJob] = useState('');
  const send = useAct('post', '/v2/opt-outs/upload/', {
    invalidates: ['/v3/jobs/'],
    quiet: true,
    onDone: ({ id }) => setJob(id),
  });
  const upload = (file: File) => {
    const form = new FormData();
    form.set('file', file);
    send.mutate({ body: form });
  };
  return (
    <Page
      title="Upload opt-outs"
      description="Brings in people who opted out elsewhere, before the first message is sent."
      trail={[{ title: 'Opt-outs', href: '/opt-outs' }]}
    >
      {send.error && (
        <Alert color="red" role="alert" mb="md" title="The server refused the file">
          {send.error.fields['file'] ?? send.error.detail}
        </Alert>
      )}
      {job ? (
        <Result key={job} id={job} onAgain={() => setJob('')} />
      ) : (
        <Section>
          <FileDrop
            onFile={upload}
            hint={
              <>
                Columns: <Code>phone_number</Code>, and if you like <Code>channel</Code> (ALL, CHATAPP, SMS or VOICE)
                and <Code>text</Code>, the proof.{' '}
                <Anchor
                  underline="always"
                  component="button"
                  type="button"
                  onClick={() => saveCsv('opt-outs-sample.csv', sample)}
                >
                  Download a sample
                </Anchor>
                {send.isPending && <div role="status">Uploading…</div>}
              </>
            }
          />
        </Section>
      )}
    </Page>
  );
}

function Result({ id, onAgain }: { id: string; onAgain(): void }) {
  const job = useJob(id, ['/v2/opt-out']);
  return (
    <Loaded query={job} what="job">
      {(data) => (
        <Stack>
          <Section title="Import">
            <Stack>
              <JobProgress job={data} label="Import of opt-outs" />
              {data.status === 'FAILED' && <Alert color="red">{data.reason}</Alert>}
              <JobFigures result={data.result} />
            </Stack>
          </Section>
          {data.errors.length > 0 && (
            <Section title="Rejected rows" description="These people were not opted out.">
              <Refusals job={data} count={Number((data.result as Record<string, unknown> | null)?.['failed'] ?? 0)} />
            </Section>
          )}
          {isOver(data.status) && (
            <Group justify="flex-end">
              <Button variant="default" onClick={onAgain}>
                Another file
              </Button>
              <Button component={Link} href="/opt-outs">
                See the opt-outs
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Loaded>
  );
}
