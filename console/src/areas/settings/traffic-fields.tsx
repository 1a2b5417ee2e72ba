import { NumberInput, SimpleGrid, Switch, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { Section } from '../../parts/index.ts';

interface TrafficFieldsProps {
  form: { getInputProps(path: 'name' | 'weight' | 'enabled', options?: { type: 'checkbox' }): GetInputPropsReturnType };
  /** What it is: `link`. */
  one: string;
  /** What several share: `the calls`. */
  share: string;
  /** It has a name already. */
  stored: boolean;
  /** What becomes of it when it is not enabled. */
  off: string;
  /** Fields of its own. */
  children?: ReactNode;
}

/** What every link to a network has: a name, a weight, and whether it is used. */
export const TrafficFields = ({ form, one, share, stored, off, children }: TrafficFieldsProps) => (
  <Section title="Traffic">
    <SimpleGrid cols={{ base: 1, sm: children ? 3 : 2 }}>
      <TextInput
        label="Name"
        description={stored ? `Unique among ${one}.` : 'Leave empty to generate one.'}
        maxLength={100}
        {...form.getInputProps('name')}
      />
      {children}
      <NumberInput
        label="Weight"
        description={`Its share of ${share}, beside other ${one}s.`}
        min={1}
        max={100}
        clampBehavior="none"
        {...form.getInputProps('weight')}
      />
    </SimpleGrid>
    <Switch mt="md" label="Enabled" description={off} {...form.getInputProps('enabled', { type: 'checkbox' })} />
  </Section>
);
