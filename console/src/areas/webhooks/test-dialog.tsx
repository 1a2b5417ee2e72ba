import { Button, Code, Group, Loader, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useOne } from '../../api/index.ts';
import { OpenDialog } from '../../parts/actions/open-dialog.tsx';
import { Problem, Status } from '../../parts/index.ts';

/** What became of a test: waits for the first answer and shows it. */
export function TestDialog({ uuid, onClose }: { uuid: string; onClose(): void }) {
  const { data, error } = useOne('/v2/webhook-deliveries/{uuid}/', { uuid }, undefined, { refetchInterval: 1000 });
  const attempt = data?.attempts.at(-1);
  return (
    <OpenDialog onClose={onClose} title="Test" size="lg">
      <Stack aria-live="polite">
        {error && !data && <Problem error={error} />}
        {!attempt && !error && (
          <Group gap="sm">
            <Loader size="sm" aria-hidden />
            <Text size="sm">Sending test.ping. The response appears here.</Text>
          </Group>
        )}
        {data && attempt && (
          <>
            <Group gap="sm">
              <Status
                word={data.status}
                label={
                  data.status === 'SUCCEEDED'
                    ? 'Delivered'
                    : attempt.status_code === null
                      ? 'Failed'
                      : `Failed (${attempt.status_code})`
                }
              />
              <Text size="sm">
                {attempt.status_code === null ? attempt.error : `Response ${attempt.status_code}`}
                {attempt.status_code !== null && ` in ${attempt.duration_ms} ms.`}
              </Text>
            </Group>
            {attempt.response && (
              <Code block mah="14rem" tabIndex={0} style={{ overflow: 'auto' }}>
                {attempt.response}
              </Code>
            )}
            {data.status === 'PENDING' && (
              <Text size="sm" c="dimmed">
                Parley will retry, as for every event.
              </Text>
            )}
          </>
        )}
        <Group justify="flex-end">
          <Button component={Link} href={`/deliveries/${uuid}`} variant="default">
            View delivery
          </Button>
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    </OpenDialog>
  );
}
