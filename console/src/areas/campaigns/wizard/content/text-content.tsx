import { Group, Stack, Text } from '@mantine/core';
import { segmentsOf } from '../../../../parts/campaigns/segments.ts';
import { PlaceholderInput } from '../../../../parts/writing/index.ts';
import { placeholdersIn } from '../form.ts';
import type { StepProps } from '../steps/step-props.ts';

/** The text of an SMS, with its parts, or of a chat message. */
export function TextContent({ form, filled }: StepProps & { filled: string }) {
  const isSms = form.values.channel === 'SMS';
  return (
    <Stack gap={6}>
      <PlaceholderInput
        label="Text"
        required
        minRows={5}
        maxLength={10_000}
        description="Type {{ for the name, the number or an attribute."
        {...form.getInputProps('text')}
      />
      {isSms && <Parts text={filled} isSample={placeholdersIn(form.values.text).length > 0} />}
    </Stack>
  );
}

function Parts({ text, isSample }: { text: string; isSample: boolean }) {
  const { encoding, length, parts, perPart } = segmentsOf(text);
  return (
    <Group gap="xs" role="status">
      <Text size="sm" fw={600}>
        {parts} {parts === 1 ? 'part' : 'parts'}
      </Text>
      <Text size="sm" c="dimmed">
        {length} characters, {perPart} in a part{isSample && ', as filled in for the person in the preview'}.{' '}
        {encoding === 'UCS2' && 'It holds a letter that is not in the SMS alphabet, so fewer fit.'}
      </Text>
    </Group>
  );
}
