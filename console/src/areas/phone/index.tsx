import { useState } from 'react';
import { Route, Switch, useSearch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { FlowPreview } from './flow-preview.tsx';
import { ClockProvider } from './frame/clock.tsx';
import { Pair } from './frame/pair.tsx';

/** Phones to try things with; the links of the sandbox lead here. */
export default function PhoneSimulator() {
  return (
    <ClockProvider>
      <Switch>
        <Route path="/phone">
          <Pair />
        </Route>
        <Route path="/phone/flow/:id">{({ id }) => <FlowPreview key={id} id={id} />}</Route>
        <Route path="/phone/:number">{({ number }) => <Linked number={number} />}</Route>
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </ClockProvider>
  );
}

/** A number in the address: the chat to be opened, with the text that the link brings along. */
function Linked({ number }: { number: string }) {
  const search = useSearch();
  const text = new URLSearchParams(search).get('text') ?? '';
  // The address stays while one goes on; another one opens another chat.
  const [key] = useState(() => Date.now());
  return <Pair key={`${key} ${number} ${search}`} opening={{ number: numberOf(number), text }} />;
}

/** The router leaves the plus sign as it came. */
function numberOf(part: string): string {
  const number = part.replace(/^%2B/i, '+').trim();
  return /^\d+$/.test(number) ? `+${number}` : number;
}
