import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAct } from '../../api/index.ts';

/** Erases a person, for somebody who writes the number once more. */
export function EraseDialog({ number, onClose }: { number: string; onClose(): void }) {
  const [typed, setTyped] = useState('');
  const [, navigate] = useLocation();
  const isSure = typed.replaceAll(/\D/g, '') === number.replaceAll(/\D/g, '');
  const erase = useAct('delete', '/v2/people/{number}/', {
    invalidates: ['/v2/people/', '/v3/jobs/'],
    done: 'It is being erased.',
    onDone: ({ id }) => navigate(`/jobs/${id}`),
  });
  return (
    <Modal opened onClose={onClose} title={`Erase ${number}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isSure) erase.mutate({ params: { number } });
        }}
      >
        <Stack>
          <Text size="sm">
            Messages, SMS, calls, recordings, sessions, leads and the contact go, and cannot be brought back. Counters
            stay, and whatever the person opted out of still holds.
          </Text>
          <TextInput
            type="tel"
            label="Number of the person"
            description={`Write ${number} to be sure.`}
            autoComplete="off"
            data-autofocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red.8" disabled={!isSure} loading={erase.isPending}>
              Erase for good
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
