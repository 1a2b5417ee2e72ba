import { Autocomplete, Switch, Text, Textarea } from '@mantine/core';
import { useList } from '../../api/index.ts';
import { segmentsOf } from '../../parts/campaigns/segments.ts';
import { JobForm, linesOf } from './job-form.tsx';

/** One text to many numbers. */
export function SendSms() {
  const numbers = useList('/v2/number/', { capability: 'SMS' }, { pageSize: 200 });
  const senders = useList('/v2/sms-senders/', {}, { pageSize: 200 });
  const from = [...senders.rows.map(({ sender }) => sender), ...numbers.rows.map(({ number }) => number)];
  return (
    <JobForm
      type="sms.send"
      initial={{ from: '', to: '', text: '', smart_encoding: true }}
      inputOf={(input) => ({ ...input, to: linesOf(input.to) })}
      button="Send"
    >
      {(form) => {
        const { parts } = segmentsOf(form.values.input.text);
        const people = linesOf(form.values.input.to).length;
        return (
          <>
            <Autocomplete
              label="From"
              description="One of your numbers, or a registered name."
              required
              data={[...new Set(from)]}
              limit={50}
              {...form.getInputProps('input.from')}
            />
            <Textarea
              label="To"
              description="One number on each line, 10,000 at most."
              required
              autosize
              minRows={4}
              maxRows={12}
              {...form.getInputProps('input.to')}
            />
            <Textarea label="Text" required autosize minRows={3} {...form.getInputProps('input.text')} />
            <Text size="sm" c="dimmed" role="status">
              {people} {people === 1 ? 'number' : 'numbers'}, {parts} {parts === 1 ? 'part' : 'parts'} each.
            </Text>
            <Switch
              label="Plain characters"
              description="Replaces typographic quotes, dashes and spaces where that saves parts."
              {...form.getInputProps('input.smart_encoding', { type: 'checkbox' })}
            />
          </>
        );
      }}
    </JobForm>
  );
}
