import { Button, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { ApiProblem, sayProblem } from '../../api/problem.ts';

/** In place of what could not be loaded: the sentence of the API, and another try. */
export const Problem = ({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) => (
  <Stack align="center" gap="xs" py={48} px="md" ta="center" role="alert">
    <ThemeIcon size={56} radius="xl" variant="light" color="red">
      <IconPlugConnectedX size={28} stroke={1.5} />
    </ThemeIcon>
    <Text fw={600} size="lg" mt="xs">
      {sayProblem(error)}
    </Text>
    {error instanceof ApiProblem && error.status >= 500 && error.requestId && (
      <Text size="sm" c="dimmed">
        Request {error.requestId}
      </Text>
    )}
    {retry && !(error instanceof ApiProblem && error.status === 403) && (
      <Button variant="default" mt="xs" onClick={retry}>
        Try again
      </Button>
    )}
  </Stack>
);
