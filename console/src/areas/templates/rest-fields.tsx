import { Button, JsonInput, Text } from '@mantine/core';
import { Section } from '../../parts/index.ts';
import type { FormProps } from './form-props.ts';

/** Carousels and limited-time offers, as the API takes them. */
export function RestFields({ form }: FormProps) {
  if (form.values.rest === '')
    return (
      <Text size="sm" c="dimmed">
        For a carousel or a limited-time offer,{' '}
        <Button
          variant="transparent"
          size="compact-sm"
          p={0}
          onClick={() => form.setFieldValue('rest', '[\n  {"type": "CAROUSEL", "cards": []}\n]')}
        >
          add its component as JSON
        </Button>
        .
      </Text>
    );
  return (
    <Section title="Other components">
      <JsonInput
        label="Components"
        description="CAROUSEL or LIMITED_TIME_OFFER, as the documentation of templates shows them."
        autosize
        minRows={6}
        validationError="This is not JSON."
        {...form.getInputProps('rest')}
      />
    </Section>
  );
}
