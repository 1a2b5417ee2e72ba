import { Group, Paper, Stack, Text } from '@mantine/core';
import { segmentText } from '../../../../src/platform/sms-text/index.ts';
import type { Schema } from '../../api/index.ts';

/** The text, cut where the parts are cut. */
export function SmsParts({ sms }: { sms: Schema<'SmsRecord'> }) {
  const { segments } = segmentText(sms.text);
  // Of what came in we know the number of parts, not where they were cut.
  const cut = sms.direction === 'OUTBOUND' && segments.length === sms.segments ? segments : [sms.text];
  return (
    <Stack gap="xs">
      {cut.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are told apart by their place
        <Paper key={index} p="sm" bg="var(--parley-ground)" withBorder>
          {cut.length > 1 && (
            <Text size="xs" c="dimmed" mb={2}>
              Part {index + 1} of {cut.length}
            </Text>
          )}
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {part}
          </Text>
        </Paper>
      ))}
      <Group gap="md">
        <Text size="sm" c="dimmed">
          {sms.segments} {sms.segments === 1 ? 'part' : 'parts'} · {[...sms.text].length} characters ·{' '}
          {sms.encoding === 'GSM7' ? 'GSM alphabet' : sms.encoding === 'UCS2' ? 'Unicode (UCS-2)' : sms.encoding}
        </Text>
      </Group>
    </Stack>
  );
}
