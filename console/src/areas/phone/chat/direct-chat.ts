import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';
import { isSame, type Message, messageOf, newKey, type Person } from '../types.ts';

interface Words {
  id: string;
  from: string;
  to: string;
  text: string;
  at: string;
  quotes?: string;
  seen?: boolean;
}

const mostKept = 500;

/**
 * What the two people write to each other. It never passes through the server, just as the chat of two people passes no business:
 * this browser carries it from one phone to the other.
 */
export function useDirectChat(person: Person, other: Person) {
  const [all, setAll] = useLocalStorage<Words[]>({
    key: 'parley-phones-direct',
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const messages = useMemo(() => {
    const ours = all.filter(({ from, to }) => isBetween(person, other, from, to));
    return ours.map((words) => shown(words, person, ours));
  }, [all, person, other]);
  const write = (text: string, quotes?: string): void => {
    const words = {
      id: newKey(),
      from: person.number,
      to: other.number,
      text,
      at: new Date().toISOString(),
    };
    setAll((before) => [...before.slice(1 - mostKept), { ...words, ...(quotes !== undefined && { quotes }) }]);
  };
  /** The person has the chat before their eyes. */
  const markSeen = (): void => {
    const isNew = (words: Words) => !words.seen && isSame(words.to, person.number) && isSame(words.from, other.number);
    if (all.some(isNew)) setAll((before) => before.map((words) => (isNew(words) ? { ...words, seen: true } : words)));
  };
  return { messages, write, markSeen };
}

const isBetween = (one: Person, two: Person, from: string, to: string): boolean =>
  (isSame(from, one.number) && isSame(to, two.number)) || (isSame(from, two.number) && isSame(to, one.number));

function shown({ id, from, to, text, at, quotes, seen }: Words, person: Person, all: Words[]): Message {
  const mine = isSame(from, person.number);
  const quoted = all.find((words) => words.id === quotes);
  return messageOf({
    uuid: id,
    direction: mine ? 'INBOUND' : 'OUTBOUND',
    chatapp_number: mine ? to : from,
    text,
    // As the server writes it, so that times can be compared.
    created: at.replace('Z', '000Z'),
    status: seen ? 'READ' : 'DELIVERED',
    context: quoted
      ? {
          message_uuid: quoted.id,
          direction: isSame(quoted.from, person.number) ? 'INBOUND' : 'OUTBOUND',
          type: 'TEXT',
          text: quoted.text,
        }
      : null,
  });
}
