import type { Fields } from '../graph/checks.ts';
import type { Message } from '../world.ts';
import type { InboundFile, PersonControl } from './control.ts';
import type { Surroundings } from './inbound.ts';

type Action = (person: PersonControl, body: Fields) => Message | undefined;

const text = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));
const silently = (act: (person: PersonControl, body: Fields) => void): Action => {
  return (person, body) => {
    act(person, body);
    return undefined;
  };
};

/** What a person can be told to do over HTTP; the names are those of `PersonControl`, a dash for each capital. */
const actions: Readonly<Record<string, Action>> = {
  writes: (person, { text, ...around }) => person.writes(String(text), around as Surroundings),
  sends: (person, { file, ...around }) => {
    const { base64, ...described } = file as Fields;
    const bytes = Buffer.from(String(base64 ?? ''), 'base64');
    return person.sends({ ...(described as Omit<InboundFile, 'bytes'>), bytes }, around as Surroundings);
  },
  'shares-location': (person, { location, ...around }) =>
    person.sharesLocation(location as { latitude: number; longitude: number }, around as Surroundings),
  'shares-contacts': (person, { contacts, ...around }) =>
    person.sharesContacts(contacts as Fields[], around as Surroundings),
  orders: (person, { order, ...around }) => person.orders(order as Fields, around as Surroundings),
  presses: (person, { button, messageId }) => person.presses(String(button), text(messageId)),
  'answers-flow': (person, { answers, messageId }) => person.answersFlow((answers ?? {}) as Fields, text(messageId)),
  reacts: (person, { emoji, messageId }) => person.reacts(text(emoji), text(messageId)),
  'sends-unsupported': (person, { kind }) => person.sendsUnsupported(text(kind)),
  'sends-raw': (person, { type, content, ...around }) => person.sendsRaw(String(type), content, around as Surroundings),
  'changes-number': (person, { phone }) => person.changesNumber(String(phone)),
  'changes-user-id': (person) => person.changesUserId(),
  reads: silently((person, { messageId }) => person.reads(text(messageId))),
  plays: silently((person, { messageId }) => person.plays(text(messageId))),
  'stops-marketing': silently((person, { to }) => person.stopsMarketing(text(to))),
  'resumes-marketing': silently((person, { to }) => person.resumesMarketing(text(to))),
};

/** Carries out an action by its name; answers the message it made, if it made one. */
export function actOnPerson(person: PersonControl, name: string, body: Fields): Message | undefined {
  const action = actions[name];
  if (!action) throw new Error(`A person cannot "${name}"; they can: ${Object.keys(actions).join(', ')}.`);
  return action(person, body);
}
