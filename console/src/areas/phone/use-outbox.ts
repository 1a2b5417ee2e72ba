import { useCallback, useState } from 'react';
import { sayProblem } from '../../api/index.ts';
import type { Thread } from './threads.ts';
import { keyOf, type Message, messageOf, newKey } from './types.ts';

/** Something that was written and is not at the server yet. */
export interface Pending {
  key: string;
  kind: Thread['kind'];
  message: Message;
  /** Why it could not be sent; empty while it is on its way. */
  problem: string;
  send(): Promise<{ uuid: string }>;
  /** What it became at the server; not to be shown twice. */
  uuid?: string;
}

const lingerMs = 1000;

/** Shows at once what is written, and keeps what could not be sent, to be sent again. */
export function useOutbox(refresh: () => Promise<void>) {
  const [pending, setPending] = useState<Pending[]>([]);
  const drop = useCallback((key: string) => setPending((all) => all.filter((one) => one.key !== key)), []);
  const attempt = useCallback(
    async (one: Pending) => {
      const change = (changes: Partial<Pending>) =>
        setPending((all) => all.map((other) => (other.key === one.key ? { ...other, ...changes } : other)));
      change({ problem: '' });
      try {
        const { uuid } = await one.send();
        change({ uuid });
      } catch (error) {
        change({ problem: sayProblem(error) });
        return;
      }
      await refresh();
      // The message itself has taken its place.
      setTimeout(() => drop(one.key), lingerMs);
    },
    [refresh, drop],
  );
  const post = (
    { kind, to, ...shown }: { kind: Thread['kind']; to: string; text: string } & Partial<Message>,
    send: Pending['send'],
  ): void => {
    const key = newKey();
    const created = new Date().toISOString().replace('Z', '000Z');
    const message = messageOf({
      uuid: key,
      direction: 'INBOUND',
      chatapp_number: to,
      created,
      ...shown,
      status: 'SENT',
    });
    const one: Pending = { key, kind, message, problem: '', send };
    setPending((all) => [...all, one]);
    void attempt(one);
  };
  const of = (kind: Thread['kind'], number: string): Pending[] =>
    pending.filter((one) => one.kind === kind && keyOf(one.message.chatapp_number) === keyOf(number));
  return { post, of, retry: (one: Pending) => void attempt(one), drop };
}
export type Outbox = ReturnType<typeof useOutbox>;
