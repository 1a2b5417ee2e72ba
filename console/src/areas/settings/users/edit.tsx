import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { useOne } from '../../../api/index.ts';
import { useHere } from '../../../parts/account.tsx';
import { ResetFactorsButton } from '../../../parts/factors/reset-factors.tsx';
import { Loaded, Page, RemoveButton, Section, Time } from '../../../parts/index.ts';
import { UserForm } from './form.tsx';
import { usersTrail } from './new.tsx';
import { ResetButton } from './reset.tsx';

/** Changes or deletes a user. */
export function EditUser({ uuid }: { uuid: string }) {
  const [, navigate] = useLocation();
  const isMe = useHere().session.user?.uuid === uuid;
  const query = useOne('/v2/users/{uuid}/', { uuid });
  const back = () => navigate('/settings/users');
  return (
    <Loaded query={query} what="user">
      {(user) => (
        <Page
          title={user.username}
          trail={usersTrail}
          description={
            user.last_sign_in ? (
              <>
                Last signed in <Time at={user.last_sign_in} />.
              </>
            ) : (
              'Has never signed in with the name and password.'
            )
          }
          actions={
            <Group gap="xs">
              <ResetButton user={user} />
              {!isMe && <ResetFactorsButton user={user} />}
              <RemoveButton
                path="/v2/users/{uuid}/"
                uuid={uuid}
                what={`the user “${user.username}”`}
                text="They are signed out everywhere, and the tokens that they created are revoked."
                back="/settings/users"
                invalidates={['/v2/auth/tokens/']}
              />
            </Group>
          }
        >
          <Stack>
            <Alert color={isMe ? 'orange' : 'gray'}>
              {isMe
                ? 'This is you. Another password or role signs you out everywhere, here as well.'
                : 'Another password or role signs this user out everywhere.'}
            </Alert>
            <Section>
              <UserForm user={user} onDone={back} onCancel={back} />
            </Section>
            <Text size="sm">
              <Anchor component={Link} href={`/settings/audit-log?actor=${uuid}`} size="sm">
                What this user did
              </Anchor>
            </Text>
          </Stack>
        </Page>
      )}
    </Loaded>
  );
}
