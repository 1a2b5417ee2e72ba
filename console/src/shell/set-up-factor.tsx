import { Anchor, Card, Center, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sessionQuery } from '../api/index.ts';
import { signOut } from '../api/session.ts';
import { SecuritySections } from '../parts/factors/security.tsx';

/** All that somebody sees who has yet to set up the second factor that their account requires. */
export default function SetUpFactor() {
  const client = useQueryClient();
  useEffect(() => {
    document.title = 'Set up a second factor · Parley';
  }, []);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Card w="100%" maw={640} p="xl" shadow="sm">
        <Stack>
          <Title order={1} size="h2">
            Set up a second factor
          </Title>
          <Text>Your account requires one. Add an authenticator app or a passkey, and keep the recovery codes.</Text>
          <SecuritySections onAdded={() => void client.invalidateQueries({ queryKey: sessionQuery.queryKey })} />
          <Anchor component="button" type="button" size="sm" onClick={() => void signOut(client)}>
            Sign out
          </Anchor>
        </Stack>
      </Card>
    </Center>
  );
}
