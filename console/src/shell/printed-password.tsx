import { Button, Card, Center, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { signOut } from '../api/session.ts';
import { PasswordForm } from '../parts/password-form.tsx';

/** Asks for another password than the one that the first start printed: it may be in a log. */
export default function PrintedPassword() {
  const client = useQueryClient();
  useEffect(() => {
    document.title = 'Choose a password · Parley';
  }, []);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Card w="100%" maw={440} p="xl" shadow="sm">
        <Stack>
          <Title order={1} size="h2">
            Choose your own password
          </Title>
          <Text size="sm">
            You signed in with the password that the first start printed. Others may have seen it there.
          </Text>
          <PasswordForm done="The password is changed." />
          <Button variant="subtle" color="gray" onClick={() => void signOut(client)}>
            Sign out
          </Button>
        </Stack>
      </Card>
    </Center>
  );
}
