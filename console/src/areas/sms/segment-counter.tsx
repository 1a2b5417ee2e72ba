import { Alert, Group, Text } from '@mantine/core';
// The API counts with this very code.
import { type Segmented, segmentText } from '../../../../src/platform/sms-text/index.ts';

/** More are refused. */
const mostSegments = 10;
const sizes = { GSM7: [160, 153], UCS2: [70, 67] } as const;

/** In how many parts a text is sent, counted as the API does, and which characters make it cost more. */
export function SegmentCounter({ text, smart }: { text: string; smart: boolean }) {
  const found = segmentText(text, { smart });
  const count = text === '' ? 0 : found.segments.length;
  const odd = found.encoding === 'UCS2' ? oddOnes(text) : [];
  const plainer = odd.length > 0 && !smart && segmentText(text, { smart: true }).encoding === 'GSM7';
  return (
    <div>
      <Group gap="md" aria-live="polite">
        <Text size="sm" fw={600} {...(count > mostSegments && { c: 'var(--mantine-color-error)' })}>
          {count} {count === 1 ? 'part' : 'parts'}
          {count > mostSegments && `: at most ${mostSegments} are sent`}
        </Text>
        <Text size="sm" c="dimmed">
          {found.units} {found.encoding === 'GSM7' ? 'characters' : 'units'} · {roomIn(found)} left in this part
        </Text>
        <Text size="sm" c="dimmed">
          {found.encoding === 'GSM7' ? 'GSM alphabet' : 'Unicode (UCS-2)'}
        </Text>
      </Group>
      {odd.length > 0 && (
        <Alert color="blue" mt="xs" p="xs">
          <Text size="sm">
            Not in the GSM alphabet: {odd.slice(0, 12).join(' ')}
            {odd.length > 12 && ' …'}. A part holds 70 characters instead of 160.
            {plainer && ' With “Plain characters” it would fit.'}
          </Text>
        </Alert>
      )}
    </div>
  );
}

function roomIn({ encoding, segments, units }: Segmented): number {
  const [alone, part] = sizes[encoding];
  if (segments.length === 1) return alone - units;
  const last = segments.at(-1) ?? '';
  return part - segmentText(last).units;
}

/** The characters that the GSM alphabet does not have, each once. */
const oddOnes = (text: string): string[] => [...new Set(text)].filter((sign) => segmentText(sign).encoding === 'UCS2');
