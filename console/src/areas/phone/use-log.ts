import { useMemo } from 'react';
import { useList } from '../../api/index.ts';
import { useLiveRefresh } from '../../live/index.ts';
import type { People, Side } from './people.ts';
import { useNames } from './senders.ts';
import { summaryOf } from './threads.ts';
import { isSame, type Leg, type Message } from './types.ts';

export interface Entry {
  id: string;
  at: string;
  side: Side | null;
  text: string;
  /** Where the console tells more. */
  href?: string;
  link?: string;
}

const most = 100;

/** What happened on both phones and to the intros between them, the latest first. */
export function useLog(people: People): Entry[] {
  const nameOf = useNames(people.B);
  const ordering = '-created';
  const a = useList('/v2/sandbox/phones/{number}/', { ordering }, { params: { number: people.A.number } });
  const b = useList('/v2/sandbox/phones/{number}/', { ordering }, { params: { number: people.B.number } });
  const callsA = useList('/v2/sandbox/calls/', { number: people.A.number, ordering }, { pageSize: 50 });
  const callsB = useList('/v2/sandbox/calls/', { number: people.B.number, ordering }, { pageSize: 50 });
  const events = useList('/v2/events/');
  useLiveRefresh(['chat_intro.'], ['/v2/events/']);
  return useMemo(() => {
    const messages = (rows: Message[], side: Side) =>
      rows.slice(0, most).map((row) => messageEntry(row, side, nameOf(row.chatapp_number)));
    const calls = (rows: Leg[], side: Side) => rows.map((row) => callEntry(row, side, nameOf(row.other)));
    const intros = events.rows.flatMap((event) => introEntry(event, people));
    return [messages(a.rows, 'A'), messages(b.rows, 'B'), calls(callsA.rows, 'A'), calls(callsB.rows, 'B'), intros]
      .flat()
      .toSorted((one, two) => two.at.localeCompare(one.at))
      .slice(0, most);
  }, [a.rows, b.rows, callsA.rows, callsB.rows, events.rows, people, nameOf]);
}

function messageEntry(message: Message, side: Side, name: string): Entry {
  const { uuid, direction, type, status, created } = message;
  const words = summaryOf(message).slice(0, 80);
  const wrote = type === 'REACTION' ? `Reacted to ${name} with ${words}` : `Wrote to ${name}: ${words}`;
  const what = type === 'SMS' ? 'an SMS' : type === 'TEMPLATE' ? 'a template' : 'a message';
  const got = status === 'FAILED' ? `Did not get ${what}` : status === 'SENT' ? `${what} is on its way` : `Got ${what}`;
  const text = direction === 'INBOUND' ? wrote : `${got} from ${name}: ${words}`;
  const href = type === 'SMS' ? `/sms/${uuid}` : `/messages/${uuid}`;
  return {
    id: uuid,
    at: created,
    side,
    text: text.replace(/^./, (first) => first.toUpperCase()),
    href,
    link: 'Message',
  };
}

function callEntry({ uuid, direction, state, outcome, created }: Leg, side: Side, name: string): Entry {
  const now =
    state === 'RINGING'
      ? ', ringing'
      : state === 'TALKING'
        ? ', talking'
        : outcome
          ? `, ${outcome.toLowerCase().replaceAll('_', ' ')}`
          : '';
  const made = direction === 'INBOUND';
  return {
    id: uuid,
    at: created,
    side,
    text: `${made ? 'Called' : 'Was called by'} ${name}${now}`,
    ...(made && { href: `/calls/${uuid}`, link: 'Call' }),
  };
}

const introWords: Record<string, string> = {
  clicked: 'A link of an intro was opened',
  started: 'An intro started',
  replied: 'The intro answered',
  notified: 'The agent was told of the intro',
  aparty_notified: 'The lead was told of the agent',
  connected: 'The two are connected',
  answered: 'The lead filled in a form or pressed a button',
  expired: 'The intro expired',
  problem: 'Something is wrong with the intro',
};

function introEntry(
  event: { uuid: string; kind: string; subject: string; data: Record<string, unknown>; at: string },
  people: People,
): Entry[] {
  const [, word] = /^chat_intro\.(\w+)$/.exec(event.kind) ?? [];
  const text = introWords[word ?? ''];
  if (!text) return [];
  const numbers = [event.data['aparty_number'], event.data['bparty_number']].filter((one) => typeof one === 'string');
  const isOurs =
    numbers.length === 0 || numbers.some((one) => isSame(one, people.A.number) || isSame(one, people.B.number));
  return isOurs
    ? [{ id: event.uuid, at: event.at, side: null, text, href: `/intros/${event.subject}`, link: 'Story' }]
    : [];
}
