import {
  type Icon,
  IconCalendarEvent,
  IconCalendarOff,
  IconClock,
  IconDialpad,
  IconHash,
  IconLetterCase,
  IconListDetails,
  IconPercentage,
  IconUserCheck,
  IconWorld,
} from '@tabler/icons-react';
import type { Channel, Conditions } from './values.ts';

/** A condition that can be added; the time zone belongs to those of time. */
export type ConditionKind = Exclude<keyof Conditions, 'time_zone'>;

export interface KindWords {
  kind: ConditionKind;
  title: string;
  icon: Icon;
  channels?: Channel[];
  /** What it begins with. */
  start: Conditions;
}

export const conditionKinds: KindWords[] = [
  {
    kind: 'time_windows',
    title: 'Time of day',
    icon: IconClock,
    start: { time_windows: [{ start: '09:00', end: '17:30' }] },
  },
  {
    kind: 'weekdays',
    title: 'Days of the week',
    icon: IconCalendarEvent,
    start: { weekdays: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'] },
  },
  { kind: 'holidays', title: 'Holidays', icon: IconCalendarOff, start: { holidays: { on: true, dates: [] } } },
  { kind: 'digits', title: 'Digits the caller entered', icon: IconDialpad, channels: ['VOICE'], start: { digits: [] } },
  {
    kind: 'keywords',
    title: 'Words in the text',
    icon: IconLetterCase,
    channels: ['SMS', 'CHATAPP'],
    start: { keywords: [] },
  },
  { kind: 'agent_available', title: 'Somebody is available', icon: IconUserCheck, start: { agent_available: {} } },
  { kind: 'caller_countries', title: 'Country of the person', icon: IconWorld, start: { caller_countries: [] } },
  { kind: 'caller_prefixes', title: 'Beginning of their number', icon: IconHash, start: { caller_prefixes: [] } },
  { kind: 'caller_lists', title: 'Lists they are on', icon: IconListDetails, start: { caller_lists: [] } },
  { kind: 'dialled_numbers', title: 'Your number', icon: IconHash, start: { dialled_numbers: [] } },
  { kind: 'dialled_prefixes', title: 'Beginning of your number', icon: IconHash, start: { dialled_prefixes: [] } },
  { kind: 'percentage', title: 'A share of all', icon: IconPercentage, start: { percentage: 50 } },
];

export const kindTitle = (kind: string): string => conditionKinds.find((one) => one.kind === kind)?.title ?? kind;

/** Those that a route has, in the order of the menu. */
export const kindsIn = (conditions: Conditions): KindWords[] =>
  conditionKinds.filter(({ kind }) => conditions[kind] !== undefined);
