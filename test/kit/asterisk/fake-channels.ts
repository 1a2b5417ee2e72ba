import { newId } from '../../../src/platform/ids.ts';

/** A channel of the pretended Asterisk. */
export interface FakeChannel {
  id: string;
  name: string;
  state: 'Down' | 'Ring' | 'Ringing' | 'Up';
  from: string;
  exten: string;
  /** What was asked of it: ring, answer, play …, in the order it was carried out. */
  done: string[];
  /** Commands are carried out one after the other. */
  queue: Promise<unknown>;
  snoopOf: string | undefined;
  inStasis: boolean;
  /** Ends what it is doing now. */
  interrupt: Set<() => void>;
}

export const newFakeChannel = (given: Partial<FakeChannel>): FakeChannel => ({
  id: `${Date.now() / 1000}.${newId()}`,
  name: 'PJSIP/trunk-00000001',
  state: 'Ring',
  from: '',
  exten: '',
  done: [],
  queue: Promise.resolve(),
  snoopOf: undefined,
  inStasis: true,
  interrupt: new Set(),
  ...given,
});

/** As ARI shows it. */
export const presentChannel = ({ id, name, state, from, exten }: FakeChannel) => ({
  id,
  name,
  state,
  protocol_id: `${id}@127.0.0.1`,
  caller: { name: '', number: from },
  connected: { name: '', number: '' },
  accountcode: '',
  dialplan: { context: 'from-trunk', exten, priority: 2, app_name: 'Stasis', app_data: 'parley' },
  creationtime: new Date().toISOString().replace('Z', '+0000'),
  language: 'en',
});

const causes: Record<number, string> = {
  1: 'Unallocated (unassigned) number',
  16: 'Normal Clearing',
  17: 'User busy',
  19: 'User alerting, no answer',
  21: 'Call Rejected',
  38: 'Network out of order',
};
export const causeText = (cause: number): string => causes[cause] ?? 'Unknown';
