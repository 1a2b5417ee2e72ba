import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { type List, useList } from '../../api/index.ts';
import { freshen } from '../../api/refresh.ts';
import { useConnected, useLiveRefresh } from '../../live/index.ts';
import { useAfterthought } from './chat/use-afterthought.ts';
import type { Message } from './types.ts';

const path = '/v2/sandbox/phones/{number}/';
const withoutStreamMs = 10_000;

export interface PhoneContent {
  /** The oldest first. */
  messages: Message[];
  list: Pick<List<Message>, 'isLoading' | 'error' | 'hasMore' | 'isLoadingMore' | 'loadMore' | 'retry'>;
  refresh(): Promise<void>;
}

/** What the server has for a phone, followed live. */
export function usePhone(number: string): PhoneContent {
  const client = useQueryClient();
  const list = useList(path, { ordering: '-created' }, { params: { number } });
  useLiveRefresh(['message.', 'sms.'], [path]);
  useAfterthought(['message.', 'sms.'], path);
  const connected = useConnected();
  useEffect(() => {
    if (connected) return undefined;
    const timer = setInterval(() => void freshen(client, [path]), withoutStreamMs);
    return () => clearInterval(timer);
  }, [client, connected]);
  const [known] = useState(() => new Map<string, { text: string; message: Message }>());
  const messages = useMemo(() => list.rows.map((row) => sameOrNew(known, row)).reverse(), [known, list.rows]);
  return { messages, list, refresh: () => freshen(client, [path]) };
}

/** A message that did not change stays the same object, so that its bubble is not drawn again. */
function sameOrNew(known: Map<string, { text: string; message: Message }>, row: Message): Message {
  const text = JSON.stringify(row);
  const before = known.get(row.uuid);
  if (before?.text === text) return before.message;
  known.set(row.uuid, { text, message: row });
  return row;
}
