import { Alert } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../../api/index.ts';
import { Steps } from '../../../parts/campaigns/steps.tsx';
import { Page, useUnsaved } from '../../../parts/index.ts';
import { type ColumnPlan, guessColumns, mappingOf } from './columns.ts';
import { type Delimiter, type Sniffed, sniff } from './sniff.ts';
import { StepColumns } from './step-columns.tsx';
import { StepFile } from './step-file.tsx';
import { StepJob } from './step-job.tsx';

const steps = ['File', 'Columns', 'Check', 'Import'];

/** Brings in a CSV file of contacts: choose, map, try without writing, import. */
export function UploadContacts() {
  const [step, setStep] = useState(0);
  const [file, setFile] = useState<File | null>(null);
  const [sniffed, setSniffed] = useState<Sniffed | null>(null);
  const [plan, setPlan] = useState<ColumnPlan[]>([]);
  const [list, setList] = useState(() => new URLSearchParams(location.search).get('list') ?? '');
  const [job, setJob] = useState('');
  const send = useAct('post', '/v2/contacts/upload/', { invalidates: ['/v3/jobs/'], quiet: true });
  useUnsaved(step === 1 || step === 2);

  const take = (chosen: File, found: Sniffed) => {
    setFile(chosen);
    setSniffed(found);
    setPlan(guessColumns(found.titles, found.rows));
    send.reset();
    setStep(1);
  };
  const setDelimiter = async (delimiter: Delimiter) => {
    if (!file) return;
    const found = await sniff(file, delimiter);
    setSniffed(found);
    setPlan(guessColumns(found.titles, found.rows));
  };
  const upload = async (isDryRun: boolean) => {
    if (!file || !sniffed) return;
    const form = new FormData();
    // The fields come before the file, so that they are known when it is read.
    form.set('mapping', JSON.stringify(mappingOf(plan)));
    form.set('delimiter', sniffed.delimiter);
    form.set('dry_run', String(isDryRun));
    if (list) form.set('list', list);
    form.set('file', file);
    const created = await send.mutateAsync({ body: form }).catch(() => null);
    if (!created) return;
    setJob(created.id);
    setStep(isDryRun ? 2 : 3);
  };
  return (
    <Page
      title="Upload contacts"
      description="Contacts are matched by phone number: existing ones are updated, new ones are created."
      trail={[{ title: 'Contacts', href: '/contacts' }]}
    >
      <Steps label="Steps of the upload" names={steps} at={step} />
      {send.error && (
        <Alert color="red" role="alert" mb="md" title="The file was rejected">
          {send.error.fields['file'] ?? send.error.detail}
        </Alert>
      )}
      {step === 0 && <StepFile onFile={take} />}
      {step === 1 && file && sniffed && (
        <StepColumns
          {...{ file, sniffed, plan, list, setPlan, setList }}
          isBusy={send.isPending}
          setDelimiter={(delimiter) => void setDelimiter(delimiter)}
          onBack={() => setStep(0)}
          onCheck={() => void upload(true)}
        />
      )}
      {step >= 2 && (
        <StepJob
          key={job}
          id={job}
          isDryRun={step === 2}
          isBusy={send.isPending}
          list={list}
          onBack={() => setStep(1)}
          onImport={() => void upload(false)}
          onAgain={() => setStep(0)}
        />
      )}
    </Page>
  );
}
