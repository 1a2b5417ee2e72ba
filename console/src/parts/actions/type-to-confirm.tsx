import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { OpenDialog } from './open-dialog.tsx';

interface TypeToConfirmProps {
  title: string;
  /** What will be gone. */
  children: ReactNode;
  /** What has to be written, and what it is. */
  label: string;
  value: string;
  /** A number may be written in any notation. */
  isPhone?: boolean;
  confirm: string;
  isPending: boolean;
  onConfirm(): void;
  onClose(): void;
}

/** A question before something that cannot be undone, for somebody who writes what it is about once more. */
export function TypeToConfirm(props: TypeToConfirmProps) {
  const { title, children, label, value, isPhone = false, confirm, isPending, onConfirm, onClose } = props;
  const [typed, setTyped] = useState('');
  const plain = (text: string): string => (isPhone ? text.replaceAll(/\D/g, '') : text);
  const isSure = plain(typed) === plain(value);
  return (
    <OpenDialog onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isSure) onConfirm();
        }}
      >
        <Stack>
          <Text size="sm">{children}</Text>
          <TextInput
            type={isPhone ? 'tel' : 'text'}
            label={label}
            description={`Write ${value} to be sure.`}
            autoComplete="off"
            data-autofocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red.8" disabled={!isSure} loading={isPending}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </OpenDialog>
  );
}
