import { Button, Group, Paper, Progress, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useRedeliver } from './use-redeliver.ts';

interface RedeliverBarProps {
  chosen: ReadonlySet<string>;
  /** The rows that are here; “all” means these. */
  shown: string[];
  choose(uuids: string[]): void;
}

/** Acts on the chosen deliveries. */
export function RedeliverBar({ chosen, shown, choose }: RedeliverBarProps) {
  const { redeliver, progress, stop } = useRedeliver();
  const send = async () => {
    await redeliver([...chosen]);
    choose([]);
  };
  return (
    <Paper withBorder p="xs" px="md" mb="md" aria-live="polite">
      <Group justify="space-between" gap="sm">
        {progress ? (
          <>
            <Text size="sm">
              Redelivering: {progress.done} of {progress.all}
            </Text>
            <Progress
              value={(progress.done / progress.all) * 100}
              aria-label="Redelivered"
              style={{ flex: '1 1 8rem' }}
            />
            <Button size="xs" variant="default" onClick={stop}>
              Stop
            </Button>
          </>
        ) : (
          <>
            <Text size="sm">{chosen.size === 0 ? 'Select deliveries to redeliver.' : `${chosen.size} selected`}</Text>
            <Group gap="xs">
              {chosen.size > 0 && (
                <Button size="xs" variant="subtle" color="gray" onClick={() => choose([])}>
                  Clear selection
                </Button>
              )}
              <Button size="xs" variant="default" disabled={shown.length === 0} onClick={() => choose(shown)}>
                Select all {shown.length} loaded
              </Button>
              <Button
                size="xs"
                disabled={chosen.size === 0}
                leftSection={<IconRefresh size={14} />}
                onClick={() => void send()}
              >
                Redeliver
              </Button>
            </Group>
          </>
        )}
      </Group>
    </Paper>
  );
}
