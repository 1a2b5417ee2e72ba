import { createContext, useContext, useLayoutEffect, useState } from 'react';
import type { Button, Message } from '../types.ts';

/** What a person can do with a bubble. The object stays the same, so that a thousand bubbles are not drawn again. */
export interface BubbleActs {
  follow(link: string): void;
  tap(message: Message, button: Button): void;
  openList(message: Message): void;
  reply(message: Message): void;
  react(message: Message, emoji: string): void;
  openChat(number: string, text?: string): void;
  dial(number: string): void;
}

export const BubbleActsContext = createContext<BubbleActs | null>(null);

export function useBubbleActs(): BubbleActs {
  const acts = useContext(BubbleActsContext);
  if (!acts) throw new Error('There are no acts here.');
  return acts;
}

/** Acts that always do what the latest ones do, and never change. */
export function useStableActs(acts: BubbleActs): BubbleActs {
  const [latest] = useState(() => ({ acts }));
  useLayoutEffect(() => {
    latest.acts = acts;
  });
  const [stable] = useState<BubbleActs>(() => ({
    follow: (...given) => latest.acts.follow(...given),
    tap: (...given) => latest.acts.tap(...given),
    openList: (...given) => latest.acts.openList(...given),
    reply: (...given) => latest.acts.reply(...given),
    react: (...given) => latest.acts.react(...given),
    openChat: (...given) => latest.acts.openChat(...given),
    dial: (...given) => latest.acts.dial(...given),
  }));
  return stable;
}
