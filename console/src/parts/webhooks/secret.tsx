import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Copy } from '../index.ts';

interface ShownSecret {
  title: string;
  secret: string;
  /** What it is for, in a sentence. */
  text: ReactNode;
  /** How to use it. */
  children?: ReactNode;
}

/** Shows a secret that the API tells only once. It stays until the person says that they have it. */
export function showSecret({ title, secret, text, children }: ShownSecret): void {
  const id = modals.open({
    title: (
      <Text component="span" fw={600}>
        {title}
      </Text>
    ),
    size: 'lg',
    closeOnClickOutside: false,
    closeOnEscape: false,
    withCloseButton: false,
    children: (
      <Stack>
        <Text size="sm">{text}</Text>
        <Group gap="xs" wrap="nowrap">
          <Code block style={{ flex: 1, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} data-secret>
            {secret}
          </Code>
          <Copy value={secret} what="the secret" />
        </Group>
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />}>
          It is shown only once. Copy it before you continue.
        </Alert>
        {children}
        <Group justify="flex-end">
          <Button data-autofocus onClick={() => modals.close(id)}>
            I have copied it
          </Button>
        </Group>
      </Stack>
    ),
  });
}
