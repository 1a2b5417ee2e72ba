import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { copyText } from '../facts/copy.tsx';

/** Shows recovery codes, which nobody shows again; resolves when they were put away. Null: there are none to show. */
export function showRecoveryCodes(codes: string[] | null): Promise<void> {
  if (codes === null) return Promise.resolve();
  return new Promise((resolve) => {
    const id = modals.open({
      title: (
        <Text component="span" fw={600}>
          Your recovery codes
        </Text>
      ),
      closeOnClickOutside: false,
      children: (
        <Stack>
          <Text size="sm">
            Each of them lets you in once when you have lost your phone or your passkey. Keep them where only you find
            them: they are not shown again.
          </Text>
          <Code block data-testid="recovery-codes">
            {codes.join('\n')}
          </Code>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => void copyText(codes.join('\n'))}>
              Copy
            </Button>
            <Button data-autofocus onClick={() => modals.close(id)}>
              I have kept them
            </Button>
          </Group>
        </Stack>
      ),
      onClose: resolve,
    });
  });
}
