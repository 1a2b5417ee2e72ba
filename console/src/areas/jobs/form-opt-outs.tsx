import { Select, Textarea, TextInput } from '@mantine/core';
import { channels } from '../../parts/opt-outs/words.ts';
import { JobForm, linesOf } from './job-form.tsx';

/** Opts out many people who have one reason in common. */
export const ImportOptOuts = () => (
  <JobForm
    type="opt_outs.import"
    initial={{ numbers: '', channel: 'ALL', text: '' }}
    inputOf={({ numbers, channel, text }) => ({
      opt_outs: linesOf(numbers).map((phone_number) => ({ phone_number, channel, text })),
    })}
    button="Opt out"
  >
    {(form) => (
      <>
        <Textarea
          label="Phone numbers"
          description="One on each line, 10,000 at most."
          required
          autosize
          minRows={4}
          maxRows={12}
          {...form.getInputProps('input.numbers')}
        />
        <Select label="Out of" data={channels} allowDeselect={false} {...form.getInputProps('input.channel')} />
        <TextInput
          label="Proof"
          description="What they said or did. It is kept with each of them."
          maxLength={1000}
          {...form.getInputProps('input.text')}
        />
      </>
    )}
  </JobForm>
);
