import { useCallback, useEffect, useMemo, useState } from 'react';
import { call, sayProblem } from '../../api/index.ts';
import { notifications } from '../../api/notifications.ts';
import { useDirectChat } from './chat/direct-chat.ts';
import type { Browsing } from './chat/link-sheet.tsx';
import { openLink } from './chat/open-link.ts';
import type { PhoneHere } from './phone-context.ts';
import { useNames } from './senders.ts';
import { threadKey, threadsOf } from './threads.ts';
import { isSame, keyOf, type Message, type Person, type Screen } from './types.ts';
import { useOutbox } from './use-outbox.ts';
import { usePhone } from './use-phone.ts';
import { useSeen } from './use-seen.ts';

/** A chat to be opened from outside, by the address of the page. */
export interface Opening {
  number: string;
  text: string;
}

export interface HandsetOptions {
  person: Person;
  other: Person;
  opening: Opening | undefined;
  /** Whether somebody can see it. */
  visible: boolean;
}

const say = (error: unknown) =>
  notifications.show({ color: 'red', title: 'That did not work', message: sayProblem(error) });

/** Those of the same moment stay in their order. */
const byTime = (one: Message, two: Message): number =>
  one.created < two.created ? -1 : one.created > two.created ? 1 : 0;

/** Everything that a phone is and does. */
export function useHandset({ person, other, opening, visible }: HandsetOptions) {
  const content = usePhone(person.number);
  const direct = useDirectChat(person, other);
  const { seen, see } = useSeen(person.number);
  const outbox = useOutbox(content.refresh);
  const nameOf = useNames(other);
  const [screen, go] = useState<Screen>(opening ? { app: 'chat', number: opening.number } : { app: 'chats' });
  // Not a state: whoever writes shows it, and nobody else needs to know.
  const [drafts] = useState(() => new Map(opening ? [[keyOf(opening.number), opening.text]] : []));
  const [openings, setOpenings] = useState(0);
  const [page, setPage] = useState<Browsing | null>(null);
  const threads = useMemo(() => {
    const all = [...content.messages, ...direct.messages];
    return threadsOf(all.toSorted(byTime), seen);
  }, [content.messages, direct.messages, seen]);

  const setDraft = (number: string, text: string) => void drafts.set(keyOf(number), text);
  const openChat = (number: string, text?: string) => {
    if (text) {
      setDraft(number, text);
      setOpenings((count) => count + 1);
    }
    go({ app: 'chat', number });
  };
  const act: PhoneHere['act'] = (number, deed, shown) => {
    if (isSame(number, other.number) && deed.text) {
      direct.write(deed.text.body, deed.context?.message_uuid);
      return;
    }
    const body = { from: person.number, to: number, ...(person.name && { name: person.name }), ...deed };
    const send = () => call('post', '/v2/sandbox/chatapp/messages/', { body });
    if (shown) outbox.post({ kind: 'chat', to: number, text: '', ...shown }, send);
    else send().then(content.refresh, say);
  };
  const writeSms = (number: string, text: string) => {
    const body = { from: person.number, to: number, text };
    outbox.post({ kind: 'sms', to: number, text, type: 'SMS' }, () => call('post', '/v2/sandbox/sms/', { body }));
  };
  const follow = async (link: string) => {
    setPage({ kind: 'loading', url: link });
    const landing = await openLink(link);
    setPage(landing.kind === 'chat' ? null : landing);
    if (landing.kind === 'chat') openChat(landing.number, landing.text);
  };
  useReading({ screen, threads, visible, see, markDirect: direct.markSeen, other });

  const shared = {
    person,
    other,
    screen,
    go,
    threads,
    content,
    outbox,
    nameOf,
    setDraft,
    openChat,
    openings,
    act,
    writeSms,
  };
  const here = {
    ...shared,
    draftOf: (number: string) => drafts.get(keyOf(number)) ?? '',
    follow: (link: string) => void follow(link),
  };
  return { here, page, closePage: useCallback(() => setPage(null), []) };
}

interface Reading extends Pick<PhoneHere, 'screen' | 'threads' | 'other'> {
  visible: boolean;
  see(thread: string, until: string): void;
  markDirect(): void;
}

/** Whoever has a conversation before their eyes has read it. */
function useReading({ screen, threads, visible, see, markDirect, other }: Reading): void {
  const number = screen.app === 'chat' || screen.app === 'sms-thread' ? screen.number : undefined;
  const key = number === undefined ? undefined : threadKey(screen.app === 'chat' ? 'chat' : 'sms', number);
  const until = threads.find((thread) => thread.key === key)?.last.created;
  const isDirect = number !== undefined && screen.app === 'chat' && isSame(number, other.number);
  // biome-ignore lint/correctness/useExhaustiveDependencies: markDirect is another one each time
  useEffect(() => {
    if (!visible || key === undefined || until === undefined) return;
    see(key, until);
    if (isDirect) markDirect();
  }, [visible, key, until, see, isDirect]);
}
