import { ActionIcon, Button, Group, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { IconFingerprint, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { type Schema, sayProblem, useAct } from '../../api/index.ts';
import { notifications } from '../../api/notifications.ts';
import { confirm, Time } from '../index.ts';
import { isGivenUp, makePasskey, passkeysWork } from '../sign-in/passkeys.ts';
import { showRecoveryCodes } from './recovery-codes.tsx';

type Passkey = Schema<'Passkey'>;
const changed = { invalidates: ['/v2/auth/factors/'] };

/** One's passkeys, and a button for another. */
export function Passkeys({ passkeys, onAdded }: { passkeys: Passkey[]; onAdded(): void }) {
  return (
    <Stack>
      {passkeys.map((passkey) => (
        <OnePasskey key={passkey.uuid} passkey={passkey} />
      ))}
      {passkeysWork() ? (
        <AddPasskey onAdded={onAdded} />
      ) : (
        <Text size="sm" c="dimmed">
          Passkeys work on https and on localhost, where the console is opened by a host name.
        </Text>
      )}
    </Stack>
  );
}

function AddPasskey({ onAdded }: { onAdded(): void }) {
  const [name, setName] = useState('');
  const [isBusy, setBusy] = useState(false);
  const save = useAct('post', '/v2/auth/factors/passkeys/', {
    ...changed,
    onDone: ({ recovery_codes }) => {
      setName('');
      void showRecoveryCodes(recovery_codes).then(onAdded);
    },
  });
  const add = async () => {
    setBusy(true);
    try {
      const credential = await makePasskey();
      save.mutate({ body: { name: name.trim() || 'Passkey', credential } });
    } catch (error) {
      if (!isGivenUp(error))
        notifications.show({ color: 'red', title: 'That did not work', message: sayProblem(error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Group align="flex-end">
      <TextInput
        label="Name of the passkey"
        placeholder="Work laptop"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button
        variant="default"
        leftSection={<IconFingerprint size={18} />}
        loading={isBusy || save.isPending}
        onClick={() => void add()}
      >
        Add a passkey
      </Button>
    </Group>
  );
}

function OnePasskey({ passkey }: { passkey: Passkey }) {
  const params = { uuid: passkey.uuid };
  const [name, setName] = useState(passkey.name);
  const rename = useAct('patch', '/v2/auth/factors/passkeys/{uuid}/', { ...changed, done: 'Renamed.' });
  const remove = useAct('delete', '/v2/auth/factors/passkeys/{uuid}/', { ...changed, done: 'Removed.' });
  const askToRemove = async () => {
    const text = 'Nobody can sign in with it any more. Delete it on the device as well.';
    if (await confirm({ title: `Remove the passkey “${passkey.name}”?`, text, button: 'Remove' }))
      remove.mutate({ params });
  };
  return (
    <Group justify="space-between">
      <TextInput
        aria-label={`Name of the passkey ${passkey.name}`}
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={() =>
          name.trim() !== '' && name !== passkey.name && rename.mutate({ params, body: { name: name.trim() } })
        }
      />
      <Group gap="sm">
        <Text size="sm" c="dimmed">
          {passkey.last_used ? (
            <>
              Last used <Time at={passkey.last_used} />
            </>
          ) : (
            'Never used'
          )}
        </Text>
        <Tooltip label="Remove">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove the passkey ${passkey.name}`}
            loading={remove.isPending}
            onClick={() => void askToRemove()}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Group>
  );
}
