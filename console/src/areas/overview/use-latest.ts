import { useEffect, useRef, useState } from 'react';
import { type Row, useList } from '../../api/index.ts';
import { useLive } from '../../live/index.ts';

type Event = Row<'/v2/events/'>;
const most = 100;
const pauseMs = 700;

/** The latest events: read once, then taken from the stream, which costs the server nothing more. */
export function useLatest(): { events: Event[]; isLoading: boolean } {
  const read = useList('/v2/events/', undefined, { pageSize: most });
  const [heard, setHeard] = useState<Event[]>([]);
  const waiting = useRef<Event[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive([''], (event) => {
    waiting.current.unshift(event);
    // A campaign makes hundreds a second; nobody reads so fast.
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setHeard((before) => [...waiting.current, ...before].slice(0, most));
      waiting.current = [];
    }, pauseMs);
  });
  const known = new Set(heard.map(({ uuid }) => uuid));
  const events = [...heard, ...read.rows.filter(({ uuid }) => !known.has(uuid))].slice(0, most);
  return { events, isLoading: read.isLoading };
}
