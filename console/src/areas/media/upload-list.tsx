import { ActionIcon, Alert, CloseButton, Group, Progress, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { Upload } from '../../parts/writing/index.ts';

/** Uploads under way, with a bar each, and what was refused. */
export function UploadList({ uploads, remove }: { uploads: Upload[]; remove(key: number): void }) {
  if (uploads.length === 0) return null;
  return (
    <Stack gap="xs" aria-live="polite" mb="md">
      {uploads.map(({ key, name, share, problem, cancel }) =>
        problem ? (
          <Alert key={key} color="red" p="xs">
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                <strong>{name}</strong> was rejected. {problem}
              </Text>
              <CloseButton aria-label={`Dismiss ${name}`} onClick={() => remove(key)} />
            </Group>
          </Alert>
        ) : (
          <Group key={key} wrap="nowrap" gap="sm">
            <Text size="sm" truncate style={{ flex: '0 1 14rem' }}>
              {name}
            </Text>
            <Progress
              value={share * 100}
              style={{ flex: 1 }}
              animated={share >= 1}
              aria-label={`Upload of ${name}, ${Math.round(share * 100)} per cent`}
            />
            <Text size="xs" c="dimmed" w={72} ta="right">
              {share < 1 ? `${Math.round(share * 100)} %` : 'Checking…'}
            </Text>
            <ActionIcon variant="subtle" color="gray" aria-label={`Cancel the upload of ${name}`} onClick={cancel}>
              <IconX size={16} />
            </ActionIcon>
          </Group>
        ),
      )}
    </Stack>
  );
}
