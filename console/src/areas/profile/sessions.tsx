import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import { type Row, useAct, useList } from '../../api/index.ts';
import { confirm, Section, Time } from '../../parts/index.ts';

type Session = Row<'/v2/users/me/sessions/'>;

/** Where one is signed in, and how to end it. */
export function OwnSessions() {
  const { rows } = useList('/v2/users/me/sessions/');
  const invalidates = ['/v2/users/me/sessions/'];
  const end = useAct('delete', '/v2/users/me/sessions/{uuid}/', { invalidates, done: 'Signed out there.' });
  const endOthers = useAct('delete', '/v2/users/me/sessions/', { invalidates, done: 'Signed out everywhere else.' });
  const ask = async () => {
    const text = 'Browsers and programs that signed in with your password have to sign in again. This browser stays.';
    if (await confirm({ title: 'Sign out everywhere else?', text, button: 'Sign out' })) endOthers.mutate({});
  };
  return (
    <Section title="Sessions" description="Browsers and programs that are signed in with your password.">
      <Stack>
        <Table verticalSpacing={8} aria-label="Sessions">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Signed in</Table.Th>
              <Table.Th>Last used</Table.Th>
              <Table.Th w={110} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((session) => (
              <Table.Tr key={session.uuid}>
                <Table.Td>
                  <Time at={session.created} /> <Kind session={session} />
                </Table.Td>
                <Table.Td>
                  <LastUse session={session} />
                </Table.Td>
                <Table.Td>
                  {!session.current && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      onClick={() => end.mutate({ params: { uuid: session.uuid } })}
                    >
                      Sign out
                    </Button>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {rows.length > 1 && (
          <Group>
            <Button variant="default" loading={endOthers.isPending} onClick={() => void ask()}>
              Sign out everywhere else
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  );
}

const Kind = ({ session }: { session: Session }) =>
  session.current ? (
    <Badge variant="light">This browser</Badge>
  ) : session.kind === 'API' ? (
    <Badge variant="light" color="gray">
      Program
    </Badge>
  ) : null;

const LastUse = ({ session }: { session: Session }) =>
  session.last_used ? (
    <>
      <Time at={session.last_used} />
      <Text size="xs" c="dimmed">
        {session.last_used_address}
      </Text>
    </>
  ) : (
    'Just now'
  );
