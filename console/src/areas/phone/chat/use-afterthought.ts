import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { freshen } from '../../../api/refresh.ts';
import { useLive } from '../../../live/index.ts';

const lookAgainMs = 1000;

/** Looks once more a moment after the last event: it may come before what it tells of can be read. */
export function useAfterthought(kinds: string[], path: string): void {
  const client = useQueryClient();
  const [timer] = useState<{ id?: ReturnType<typeof setTimeout> }>({});
  useLive(kinds, () => {
    clearTimeout(timer.id);
    timer.id = setTimeout(() => void freshen(client, [path]), lookAgainMs);
  });
  useEffect(() => () => clearTimeout(timer.id), [timer]);
}
