import { countryName } from '../../parts/fields/country.ts';
import { dayName, weekdays } from '../../parts/hours/days.ts';
import { kindsIn } from './condition-kinds.ts';
import type { Channel, Conditions, DestinationType, DestinationValues } from './values.ts';

export const channelWords: Record<Channel, string> = { VOICE: 'Calls', SMS: 'SMS', CHATAPP: 'Chat messages' };

export const typeWords: Record<DestinationType, string> = {
  NUMBER: 'Ring numbers',
  AGENT: 'Hand to an agent',
  SIP: 'Ring a SIP address',
  VOICEMAIL: 'Take a voicemail',
  AUDIO: 'Play audio and end',
  HANGUP: 'Hang up',
  CHATAPP: 'Send a chat message',
  SMS: 'Send an SMS',
  WEBHOOK: 'Tell a webhook',
};

/** What is needed to name agents, lists and numbers. */
export interface Names {
  agent(uuid: string): string;
  list(uuid: string): string;
  phone(number: string): string;
}

const some = (items: readonly string[] | undefined, what = ', '): string => {
  if (!items || items.length === 0) return '…';
  return items.length > 4 ? `${items.slice(0, 3).join(what)} and ${items.length - 3} more` : items.join(what);
};
const shortDay = (day: string): string => dayName(day).slice(0, 3);

/** `Mon–Fri`, `Sat, Sun`: three and more in a row become a span. */
function sayDays(days: readonly string[]): string {
  const places = weekdays.flatMap((day, place) => (days.includes(day.toUpperCase() as never) ? [place] : []));
  const runs: number[][] = [];
  for (const place of places) {
    const run = runs.at(-1);
    if (run && run.at(-1) === place - 1) run.push(place);
    else runs.push([place]);
  }
  const name = (place: number | undefined) => shortDay(weekdays[place ?? 0] ?? '');
  const said = runs.map((run) => (run.length > 2 ? `${name(run[0])}–${name(run.at(-1))}` : run.map(name).join(', ')));
  return said.join(', ') || '…';
}

/** All conditions of a route in one line. */
export function sayConditions(conditions: Conditions, names: Names): string {
  const said = kindsIn(conditions).map(({ kind }) => sayOne(kind, conditions, names));
  return said.length === 0 ? 'Always' : said.join(' · ');
}

function sayOne(kind: string, of: Conditions, names: Names): string {
  switch (kind) {
    case 'time_windows':
      return some(of.time_windows?.map(({ start, end }) => `${start}–${end}`));
    case 'weekdays':
      return sayDays(of.weekdays ?? []);
    case 'holidays':
      return `${of.holidays?.on ? 'on' : 'not on'} ${of.holidays?.dates.length ?? 0} holidays`;
    case 'digits':
      return `enters ${some(of.digits, ' or ')}`;
    case 'keywords':
      return `writes ${some(of.keywords, ' or ')}`;
    case 'agent_available':
      return `${sayWho(of.agent_available ?? {}, names)} available`;
    case 'caller_countries':
      return `from ${some(of.caller_countries?.map(countryName))}`;
    case 'caller_prefixes':
      return `from ${some(of.caller_prefixes?.map((one) => `${one}…`))}`;
    case 'caller_lists':
      return `on ${some(of.caller_lists?.map(names.list), ' or ')}`;
    case 'dialled_numbers':
      return `to ${some(of.dialled_numbers?.map(names.phone))}`;
    case 'dialled_prefixes':
      return `to ${some(of.dialled_prefixes?.map((one) => `${one}…`))}`;
    default:
      return `${of.percentage ?? 0} % of all`;
  }
}

const sayWho = ({ agent, skill }: { agent?: string; skill?: string }, names: Names): string =>
  agent ? names.agent(agent) : skill ? `anybody for ${skill}` : '…';

/** Where a route leads, in one line. */
export function sayDestination(values: DestinationValues, names: Names): string {
  const receiver = values.who === 'to' ? names.phone(values.to) || '…' : values.agent ? names.agent(values.agent) : '…';
  switch (values.type) {
    case 'NUMBER':
      return `Ring ${some(values.numbers.map(names.phone))}`;
    case 'AGENT':
      return values.who === 'skill'
        ? `Hand to anybody for ${values.skill || '…'}`
        : `Hand to ${values.agent ? names.agent(values.agent) : '…'}`;
    case 'SIP':
      return `Ring ${values.uri}`;
    case 'AUDIO':
      return `Play “${values.audio_file || '…'}”`;
    case 'CHATAPP':
      return `Chat message to ${receiver}`;
    case 'SMS':
      return `SMS to ${receiver}`;
    case 'WEBHOOK':
      return `Tell ${values.url}`;
    default:
      return typeWords[values.type];
  }
}
