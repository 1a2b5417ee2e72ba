import { createContext, useContext } from 'react';
import type { Thread } from './threads.ts';
import type { Deed, Message, Person, Screen } from './types.ts';
import type { Outbox } from './use-outbox.ts';
import type { PhoneContent } from './use-phone.ts';

/** What the screens of a phone share. */
export interface PhoneHere {
  person: Person;
  other: Person;
  screen: Screen;
  go(screen: Screen): void;
  threads: Thread[];
  content: PhoneContent;
  outbox: Outbox;
  nameOf(number: string): string;
  /** What stands in the composer of a chat and was not sent. */
  draftOf(number: string): string;
  setDraft(number: string, text: string): void;
  openChat(number: string, text?: string): void;
  /** How often a link has brought a text along. */
  openings: number;
  /** Does something in the chat with a number; `shown` is what the bubble says meanwhile, none if left out. */
  act(number: string, deed: Deed, shown?: Partial<Message>): void;
  writeSms(number: string, text: string): void;
  follow(link: string): void;
  dial(number: string): void;
}

export const PhoneContext = createContext<PhoneHere | null>(null);

export function usePhoneHere(): PhoneHere {
  const here = useContext(PhoneContext);
  if (!here) throw new Error('This is not on a phone.');
  return here;
}
