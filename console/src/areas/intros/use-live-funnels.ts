import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLive } from '../../live/index.ts';

const pauseMs = 1000;
const changes = ['chat_intro.created', 'chat_intro.updated', 'chat_intro.deleted'];
const funnelPath = '/v2/chatapp/chat-intros/{uuid}/funnel/';

/** Keeps the list of intros and the funnels of those in sight fresh: only the intros that something happened to are asked for. */
export function useLiveFunnels(): void {
  const client = useQueryClient();
  const touched = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive(['chat_intro.', 'message.'], ({ kind, subject }) => {
    // The list itself changes only with its rows; receipts may move a funnel, but do not say whose.
    if (changes.includes(kind)) void client.invalidateQueries({ queryKey: ['/v2/chatapp/chat-intros/'] });
    if (!kind.startsWith('chat_intro.')) return;
    touched.current.add(subject);
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      for (const uuid of touched.current) void client.invalidateQueries({ queryKey: [funnelPath, { uuid }] });
      touched.current.clear();
      void client.invalidateQueries({ queryKey: ['/v2/chatapp/chat-intros/funnel/'] });
    }, pauseMs);
  });
}
