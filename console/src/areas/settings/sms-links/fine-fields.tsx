import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Section } from '../../../parts/index.ts';
import { More } from '../more.tsx';
import type { SmsLinkValues } from './values.ts';

const idFormats = [
  { value: 'auto', label: 'Detect automatically' },
  { value: 'same', label: 'As the answers' },
  { value: 'decimal', label: 'Decimal, answers hexadecimal' },
  { value: 'hex', label: 'Hexadecimal, answers decimal' },
];

const mine: (keyof SmsLinkValues)[] = [
  'window',
  'response_timeout_seconds',
  'enquire_link_seconds',
  'system_type',
  'service_type',
  'id_format',
  'source_ton',
  'source_npi',
  'dest_ton',
  'dest_npi',
];

/** What only some carriers ask for. */
export function FineFields({ form }: { form: UseFormReturnType<SmsLinkValues> }) {
  const figure = { clampBehavior: 'none', allowDecimal: false } as const;
  return (
    <Section>
      <More title="Advanced" open={mine.some((name) => name in form.errors)}>
        <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }}>
          <NumberInput
            label="Window"
            description="Maximum outstanding requests."
            min={1}
            max={1000}
            {...figure}
            {...form.getInputProps('window')}
          />
          <NumberInput
            label="Response timeout"
            description="After that, the SMS waits for its receipt."
            suffix=" s"
            min={1}
            max={300}
            {...figure}
            {...form.getInputProps('response_timeout_seconds')}
          />
          <NumberInput
            label="Keep-alive"
            description="Sent after this idle time."
            suffix=" s"
            min={1}
            max={3600}
            {...figure}
            {...form.getInputProps('enquire_link_seconds')}
          />
          <TextInput label="System type" maxLength={12} {...form.getInputProps('system_type')} />
          <TextInput label="Service type" maxLength={5} {...form.getInputProps('service_type')} />
          <Select
            label="Ids in receipts"
            description="Format of message IDs in receipts."
            data={idFormats}
            allowDeselect={false}
            {...form.getInputProps('id_format')}
          />
          <NumberInput
            label="TON of senders"
            placeholder="By the kind of address"
            min={0}
            max={7}
            {...figure}
            {...form.getInputProps('source_ton')}
          />
          <NumberInput
            label="NPI of senders"
            placeholder="By the kind of address"
            min={0}
            max={18}
            {...figure}
            {...form.getInputProps('source_npi')}
          />
          <NumberInput
            label="TON of recipients"
            placeholder="By the kind of address"
            min={0}
            max={7}
            {...figure}
            {...form.getInputProps('dest_ton')}
          />
          <NumberInput
            label="NPI of recipients"
            placeholder="By the kind of address"
            min={0}
            max={18}
            {...figure}
            {...form.getInputProps('dest_npi')}
          />
        </SimpleGrid>
      </More>
    </Section>
  );
}
