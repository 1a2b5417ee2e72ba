import { Button, Group, Stack, Text } from '@mantine/core';
import { IconBan, IconCheck } from '@tabler/icons-react';
import { useAct } from '../../api/index.ts';
import { confirm, Time } from '../../parts/index.ts';
import { useOptOut } from './use-opt-out.ts';

/** Whether they want messages, and the switch for it. */
export function OptOutState({ person }: { person: string }) {
  const { optOut, isLoading, isNumber } = useOptOut(person);
  const options = { invalidates: ['/v2/opt-outs/', '/v2/opt-out-events/'] };
  const add = useAct('post', '/v2/opt-outs/', { ...options, done: 'Opted out.' });
  const remove = useAct('delete', '/v2/opt-outs/{uuid}/', { ...options, done: 'Opted in again.' });
  if (!isNumber)
    return (
      <Text size="sm" c="dimmed">
        This person hides their number. The platform stores the opt-out.
      </Text>
    );
  if (isLoading) return null;
  const askOut = async () => {
    const text = 'They get no chat messages until they opt in again.';
    if (await confirm({ title: 'Opt this person out?', text, button: 'Opt out' }))
      add.mutate({ body: { phone_number: person, channel: 'CHATAPP' } });
  };
  const askIn = async (uuid: string) => {
    const text = 'Only do this at their request.';
    if (await confirm({ title: 'Opt this person in again?', text, button: 'Opt in', harmless: true }))
      remove.mutate({ params: { uuid } });
  };
  return (
    <Stack gap="xs">
      <Group gap={6} wrap="nowrap" align="flex-start">
        {optOut ? (
          <IconBan size={18} aria-hidden style={{ flexShrink: 0 }} />
        ) : (
          <IconCheck size={18} aria-hidden style={{ flexShrink: 0 }} />
        )}
        <Text component="div" size="sm">
          {optOut ? (
            <>
              Opted out of {optOut.channel === 'ALL' ? 'everything' : 'chat messages'}
              {optOut.text && ` with “${optOut.text}”`}, <Time at={optOut.created} />
            </>
          ) : (
            'Opted in.'
          )}
        </Text>
      </Group>
      <div>
        {optOut
          ? remove.may && (
              <Button size="xs" variant="default" loading={remove.isPending} onClick={() => void askIn(optOut.uuid)}>
                Opt in again
              </Button>
            )
          : add.may && (
              <Button size="xs" variant="default" loading={add.isPending} onClick={() => void askOut()}>
                Opt out
              </Button>
            )}
      </div>
    </Stack>
  );
}
