import { Anchor, Card, Center, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { sessionQuery, useOne } from '../api/index.ts';
import { signOut } from '../api/session.ts';
import { SecuritySections } from '../parts/factors/security.tsx';
import { Confirmation } from './confirm-it-is-you.tsx';

/** All that somebody sees who has yet to set up the second factor that their account requires. */
export default function SetUpFactor() {
  const client = useQueryClient();
  const { data: factors } = useOne('/v2/auth/factors/');
  const goOn = () => void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  // They came by an identity provider, which did not ask for one.
  const has = factors && (factors.totp !== null || factors.passkeys.length > 0);
  const [hasOne, setHasOne] = useState<boolean>();
  // What they set up here is not asked for at once.
  if (hasOne === undefined && has !== undefined) setHasOne(has);
  useEffect(() => {
    document.title = 'Set up a second factor · Parley';
  }, []);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Card w="100%" maw={640} p="xl" shadow="sm">
        {hasOne ? (
          <Stack>
            <Title order={1} size="h2">
              Your second factor
            </Title>
            <Confirmation
              isPerson
              why="Your account requires a second factor, and your identity provider did not ask for one."
              onDone={goOn}
              onCancel={() => void signOut(client)}
            />
          </Stack>
        ) : (
          <Stack>
            <Title order={1} size="h2">
              Set up a second factor
            </Title>
            <Text>Your account requires one. Add an authenticator app or a passkey, and keep the recovery codes.</Text>
            <SecuritySections onAdded={goOn} />
            <Anchor component="button" type="button" size="sm" onClick={() => void signOut(client)}>
              Sign out
            </Anchor>
          </Stack>
        )}
      </Card>
    </Center>
  );
}
