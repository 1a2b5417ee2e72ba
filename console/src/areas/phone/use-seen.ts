import { useLocalStorage } from '@mantine/hooks';
import { useCallback } from 'react';

type Seen = Record<string, string>;

/** Until when each conversation of a phone was read; remembered by this browser. */
export function useSeen(number: string) {
  const [seen, setSeen] = useLocalStorage<Seen>({
    key: `parley-phone-seen ${number}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const see = useCallback(
    (thread: string, until: string) =>
      setSeen((before) => ((before[thread] ?? '') >= until ? before : { ...before, [thread]: until })),
    [setSeen],
  );
  return { seen, see };
}
