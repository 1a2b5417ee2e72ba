import { Alert, Anchor } from '@mantine/core';
import { useState } from 'react';
import { urlOf } from '../../../api/index.ts';
import { FileDrop } from '../../../parts/fields/file-drop.tsx';
import { Section } from '../../../parts/index.ts';
import { type Sniffed, sniff } from './sniff.ts';

/** Chooses the file and has a first look at it. */
export function StepFile({ onFile }: { onFile(file: File, sniffed: Sniffed): void }) {
  const [problem, setProblem] = useState('');
  const look = async (file: File) => {
    setProblem('');
    try {
      onFile(file, await sniff(file));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'Cannot read the file.');
    }
  };
  return (
    <Section>
      {problem && (
        <Alert color="red" role="alert" mb="md">
          {problem}
        </Alert>
      )}
      <FileDrop
        onFile={(file) => void look(file)}
        hint={
          <>
            The first line holds the column names; one column holds phone numbers. Up to 1 GiB.{' '}
            <Anchor underline="always" href={urlOf('/v2/contacts/sample/')} download="contacts-sample.csv">
              Download a sample
            </Anchor>
          </>
        }
      />
    </Section>
  );
}
