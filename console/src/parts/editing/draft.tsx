import { Alert, Button, Group } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useHere } from '../account.tsx';
import { Time } from '../facts/time.tsx';
import { isSame } from './differences.ts';
import type { Editing } from './edited.tsx';

interface Stored<V> {
  values: V;
  /** What the draft was begun with. */
  base: V;
  version?: string | undefined;
  at: string;
}

const prefix = 'parley-draft:';
const keptDays = 30;

export interface Draft {
  /** `Draft restored`, with a way to discard it. */
  note: ReactNode;
  /** It was saved. */
  forget(): void;
}

/**
 * Keeps what was typed into a form in this browser until it is saved or discarded; `name` tells forms and objects apart (`intro:new`).
 * Never for a form with secrets.
 */
export function useDraft<V extends object>(
  name: string | undefined,
  form: UseFormReturnType<V>,
  initial: V,
  edited: Editing<V>,
): Draft {
  const { session } = useHere();
  const key = name && `${prefix}${session.account.uuid}:${session.user?.uuid ?? ''}:${name}`;
  const [restored, setRestored] = useState<string | null>(null);
  const isReady = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each form
  useEffect(() => {
    if (!key) return;
    const found = readDraft<V>(key);
    if (found && isSame(Object.keys(found.values).sort(), Object.keys(initial).sort())) {
      edited.goOnFrom(found.base, found.version ?? edited.base().version);
      form.setValues(found.values);
      setRestored(found.at);
    }
    isReady.current = true;
  }, [key]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something was typed
  useEffect(() => {
    if (!key || !isReady.current) return;
    const { values: base, version } = edited.base();
    if (isSame(form.values, base)) drop(key);
    else keep(key, { values: form.values, base, version, at: new Date().toISOString() });
  }, [form.values]);

  const forget = () => {
    setRestored(null);
    if (key) drop(key);
  };
  const discard = () => {
    edited.startOver(initial);
    forget();
  };
  return {
    forget,
    note: restored !== null && (
      <Alert color="blue" role="status">
        <Group justify="space-between">
          <span>
            Draft restored. You wrote it <Time at={restored} />.
          </span>
          <Button size="compact-sm" variant="default" onClick={discard}>
            Discard
          </Button>
        </Group>
      </Alert>
    ),
  };
}

/** Where storage is forbidden or full there are no drafts. */
function keep(key: string, draft: Stored<unknown>): void {
  try {
    localStorage.setItem(key, JSON.stringify(draft));
  } catch {
    drop(key);
  }
}

function drop(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept either.
  }
}

function readDraft<V>(key: string): Stored<V> | null {
  try {
    const oldest = Date.now() - keptDays * 86_400_000;
    for (const one of Object.keys(localStorage).filter((name) => name.startsWith(prefix))) {
      const at = Date.parse((JSON.parse(localStorage.getItem(one) ?? '{}') as { at?: string }).at ?? '');
      if (!(at > oldest)) localStorage.removeItem(one);
    }
    return JSON.parse(localStorage.getItem(key) ?? 'null') as Stored<V> | null;
  } catch {
    return null;
  }
}
