import { Button } from '@mantine/core';
import { useLocation } from 'wouter';
import { useAct } from '../../api/hooks.ts';
import type { PathsWith } from '../../api/types.ts';
import { confirm } from './confirm.tsx';

interface RemoveButtonProps {
  /** Of the object: `/v2/lists/{uuid}/`. Its list is read anew. */
  path: Extract<PathsWith<'delete'>, `${string}/{uuid}/`>;
  uuid: string;
  /** Within the question: `the list “Friends”`. */
  what: string;
  /** What will be lost or happen, in a sentence. */
  text: string;
  /** Where one goes then. */
  back: string;
  /** Other paths to read anew. */
  invalidates?: string[];
  disabled?: boolean;
}

/** Deletes what the page is about, after asking. */
export function RemoveButton({ path, uuid, what, text, back, invalidates = [], disabled }: RemoveButtonProps) {
  const [, navigate] = useLocation();
  const remove = useAct('delete', path, {
    invalidates: [path.replace('{uuid}/', ''), ...invalidates],
    done: 'Deleted.',
    onDone: () => navigate(back),
  });
  const ask = async () => {
    if (await confirm({ title: `Delete ${what}?`, text, button: 'Delete' })) remove.mutate({ params: { uuid } });
  };
  if (!remove.may) return null;
  return (
    <Button color="red" variant="light" disabled={disabled} loading={remove.isPending} onClick={() => void ask()}>
      Delete
    </Button>
  );
}
