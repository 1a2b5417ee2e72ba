import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { useAct, useOne } from '../../../api/index.ts';
import { confirm, Loaded, Page, Section, Time } from '../../../parts/index.ts';
import { useHere } from '../../../shell/account.tsx';
import { UserForm } from './form.tsx';
import { usersTrail } from './new.tsx';

/** Changes or deletes a user. */
export function EditUser({ uuid }: { uuid: string }) {
  const [, navigate] = useLocation();
  const isMe = useHere().session.user?.uuid === uuid;
  const query = useOne('/v2/users/{uuid}/', { uuid });
  const back = () => navigate('/settings/users');
  const remove = useAct('delete', '/v2/users/{uuid}/', {
    invalidates: ['/v2/users/', '/v2/auth/tokens/'],
    done: 'Deleted.',
    onDone: back,
  });
  const ask = async (name: string) => {
    const text = 'They are signed out everywhere. Tokens that they made for programs stay: look through them.';
    if (await confirm({ title: `Delete the user “${name}”?`, text, button: 'Delete' }))
      remove.mutate({ params: { uuid } });
  };
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
            <Button color="red" variant="light" loading={remove.isPending} onClick={() => void ask(user.username)}>
              Delete
            </Button>
          }
        >
          <Stack>
            <Alert color={isMe ? 'orange' : 'gray'}>
              {isMe
                ? 'This is you. Another password or other scopes sign you out everywhere, here as well.'
                : 'Another password or other scopes sign this user out everywhere.'}
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
