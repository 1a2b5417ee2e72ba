import { MultiSelect, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { useHere } from '../../parts/account.tsx';
import { filled, JobForm } from './job-form.tsx';

/** Many numbers of one kind. */
export function BuyNumbers() {
  const { defaultCountry } = useHere();
  const item = { country_code: defaultCountry, prefix: '', capabilities: ['VOICE', 'SMS'], target_number: '' };
  return (
    <JobForm
      type="numbers.create"
      initial={{ count: 10, item }}
      inputOf={({ count, item: each }) => ({ count, item: filled(each) })}
      button="Buy"
    >
      {(form) => (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NumberInput
            label="How many"
            required
            min={1}
            max={10_000}
            allowDecimal={false}
            {...form.getInputProps('input.count')}
          />
          <TextInput
            label="Country"
            description="Two capital letters, such as GB."
            required
            maxLength={2}
            {...form.getInputProps('input.item.country_code')}
          />
          <TextInput
            label="Prefix"
            description="How the national number begins, such as 20 for London."
            inputMode="numeric"
            {...form.getInputProps('input.item.prefix')}
          />
          <MultiSelect
            label="Capabilities"
            data={[
              { value: 'VOICE', label: 'Calls' },
              { value: 'SMS', label: 'SMS' },
            ]}
            {...form.getInputProps('input.item.capabilities')}
          />
          <TextInput
            label="Forward calls to"
            description="Optional."
            type="tel"
            {...form.getInputProps('input.item.target_number')}
          />
        </SimpleGrid>
      )}
    </JobForm>
  );
}
