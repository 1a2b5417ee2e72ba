import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import type { Schema } from '../../api/index.ts';

export type HoursWindow = Schema<'HoursWindow'>;

interface HoursWindowsProps {
  /** Of what: `Monday`. Names each field for screen readers. */
  label: string;
  value: HoursWindow[];
  onChange(value: HoursWindow[]): void;
  most?: number;
}

/** Windows of the time of day, as many as wanted. */
export function HoursWindows({ label, value, onChange, most = 10 }: HoursWindowsProps) {
  const change = (index: number, part: Partial<HoursWindow>) =>
    onChange(value.map((one, at) => (at === index ? { ...one, ...part } : one)));
  return (
    <Stack gap={6}>
      {value.map((window, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: windows have no other name
        <Group key={index} gap={6} wrap="nowrap">
          {(['start', 'end'] as const).map((part) => (
            <TextInput
              key={part}
              type="time"
              size="xs"
              aria-label={`${label}, window ${index + 1}: ${part === 'start' ? 'from' : 'to'}`}
              value={window[part]}
              onChange={(event) => change(index, { [part]: event.currentTarget.value })}
            />
          ))}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove window ${index + 1} of ${label}`}
            onClick={() => onChange(value.filter((_, at) => at !== index))}
          >
            <IconX size={16} />
          </ActionIcon>
          {window.start !== '' && window.end !== '' && window.end <= window.start && (
            <Text size="xs" c="dimmed">
              ends on the next day
            </Text>
          )}
        </Group>
      ))}
      {value.length < most && (
        <div>
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconPlus size={14} />}
            aria-label={`${value.length === 0 ? 'Add hours' : 'Add more hours'}: ${label}`}
            onClick={() => onChange([...value, nextAfter(value.at(-1))])}
          >
            {value.length === 0 ? 'Add hours' : 'Add more hours'}
          </Button>
        </div>
      )}
    </Stack>
  );
}

/** After a break of an hour; the first is that of an office. */
function nextAfter(last: HoursWindow | undefined): HoursWindow {
  if (!last) return { start: '09:00', end: '17:30' };
  const hour = Math.min(22, Number(last.end.slice(0, 2)) + 1);
  const clock = (at: number) => `${String(at).padStart(2, '0')}:00`;
  return { start: clock(hour), end: clock(Math.min(23, hour + 4)) };
}
