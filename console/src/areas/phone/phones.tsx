import { useState } from 'react';
import { useSearch } from 'wouter';
import { ClockProvider } from './frame/clock.tsx';
import { Pair } from './frame/pair.tsx';

/** The phones of two people. */
export const Phones = () => (
  <ClockProvider>
    <Pair />
  </ClockProvider>
);

/** A number in the address: the chat to be opened, with the text that the link brings along. */
export function Linked({ number }: { number: string }) {
  const search = useSearch();
  const text = new URLSearchParams(search).get('text') ?? '';
  // The address stays while one goes on; another one opens another chat.
  const [key] = useState(() => Date.now());
  return (
    <ClockProvider>
      <Pair key={`${key} ${number} ${search}`} opening={{ number: numberOf(number), text }} />
    </ClockProvider>
  );
}

/** The router leaves the plus sign as it came. */
function numberOf(part: string): string {
  const number = part.replace(/^%2B/i, '+').trim();
  return /^\d+$/.test(number) ? `+${number}` : number;
}
