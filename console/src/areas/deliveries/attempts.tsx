import { Code, Group, Paper, Stack, Text } from '@mantine/core';
import type { Schema } from '../../api/index.ts';
import { EmptyState, Status, Time } from '../../parts/index.ts';

type Attempt = Schema<'WebhookAttempt'>;

const isGood = ({ status_code: code }: Attempt): boolean => code !== null && code >= 200 && code < 300;

/** Every attempt with its answer, the latest first. */
export function Attempts({ attempts }: { attempts: Attempt[] }) {
  if (attempts.length === 0) return <EmptyState title="No attempts yet." hint="Queued." />;
  return (
    <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
      {attempts.toReversed().map((attempt, index) => (
        <Paper component="li" key={attempt.at} withBorder p="sm">
          <Group justify="space-between" gap="xs">
            <Group gap="sm">
              <Text size="sm" fw={600}>
                Attempt {attempts.length - index}
              </Text>
              <Status
                word={isGood(attempt) ? 'SUCCEEDED' : 'FAILED'}
                label={attempt.status_code === null ? 'No response' : `Answered ${attempt.status_code}`}
              />
            </Group>
            <Text size="sm" c="dimmed">
              <Time at={attempt.at} exact /> · took {attempt.duration_ms} ms
            </Text>
          </Group>
          {attempt.error && (
            <Text size="sm" mt={6}>
              {attempt.error}
            </Text>
          )}
          {attempt.response && (
            <>
              <Text size="xs" c="dimmed" mt={6}>
                Response{attempt.response.length >= 1024 && ', its first 1 KiB'}
              </Text>
              <Code block mah="14rem" tabIndex={0} style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }}>
                {attempt.response}
              </Code>
            </>
          )}
        </Paper>
      ))}
    </Stack>
  );
}
