import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Schema, useAct } from '../../../api/index.ts';

/** Deletes an account, of somebody who can write its name. */
export function DeleteDialog({ tenant: { uuid, name }, onClose }: { tenant: Schema<'Tenant'>; onClose(): void }) {
  const [typed, setTyped] = useState('');
  const [, navigate] = useLocation();
  const remove = useAct('delete', '/v2/accounts/{uuid}/', {
    invalidates: ['/v2/accounts/', '/v3/jobs/'],
    done: 'It is being deleted.',
    onDone: ({ id }) => navigate(`/jobs/${id}`),
  });
  return (
    <Modal opened onClose={onClose} title={`Delete “${name}”`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed === name) remove.mutate({ params: { uuid } });
        }}
      >
        <Stack>
          <Text size="sm">
            Everything goes: messages, calls, recordings, contacts, users, tokens, files. Its numbers go back to the
            pool. It cannot be brought back.
          </Text>
          <TextInput
            label="Name of the account"
            description={`Write ${name} to be sure.`}
            autoComplete="off"
            data-autofocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red.8" disabled={typed !== name} loading={remove.isPending}>
              Delete for good
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
