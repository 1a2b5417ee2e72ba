import { phoneDigits } from '../../../src/platform/phone.ts';
import { webhookError } from '../graph/errors.ts';
import { accountOf, contactOf, report } from '../messages/statuses.ts';
import type { Sim } from '../sim.ts';
import { type Message, type Person, type PersonBehaviour, type PhoneNumber, phoneVisible } from '../world.ts';
import { tapOn } from './choices.ts';
import { arrive, inboundMedia, type Surroundings } from './inbound.ts';
import { personOf, shape, waIdOf } from './people.ts';

export interface InboundFile {
  kind: 'image' | 'video' | 'audio' | 'document' | 'sticker';
  mimeType: string;
  bytes: Buffer;
  caption?: string;
  filename?: string;
  voice?: boolean;
  animated?: boolean;
}

/** A person with a phone, moved by the test. Everything they do reaches the client as a webhook. */
export interface PersonControl {
  readonly person: Person;
  /** Everything the business sent to them and they sent to it, oldest first. */
  messages(): Message[];
  behaves(behaviour: Partial<PersonBehaviour>): PersonControl;
  writes(text: string, around?: Surroundings): Message;
  sends(file: InboundFile, around?: Surroundings): Message;
  sharesLocation(
    location: { latitude: number; longitude: number; name?: string; address?: string },
    around?: Surroundings,
  ): Message;
  sharesContacts(contacts: Record<string, unknown>[], around?: Surroundings): Message;
  orders(order: Record<string, unknown>, around?: Surroundings): Message;
  /** Taps a button or list row, by id, title or payload; on the last message that was sent to them unless named. */
  presses(button: string, messageId?: string): Message;
  /** Completes the flow of a message. */
  answersFlow(answers: Record<string, unknown>, messageId?: string): Message;
  /** Without an emoji: takes the reaction away. */
  reacts(emoji?: string, messageId?: string): Message;
  sendsUnsupported(kind?: string, code?: number): Message;
  changesNumber(phone: string): Message;
  changesUserId(): Message;
  /** A message of any type, exactly as given. */
  sendsRaw(type: string, content: unknown, around?: Surroundings): Message;
  reads(messageId?: string): void;
  plays(messageId?: string): void;
  stopsMarketing(to?: string): void;
  resumesMarketing(to?: string): void;
}

export function controlPerson(sim: Sim, phone: string): PersonControl {
  const { world, time, ids } = sim;
  const person = personOf(sim, waIdOf(phoneDigits(phone)));
  const number = (to?: string): PhoneNumber => {
    const found = [...world.numbers.values()].find(({ id, digits }) => !to || to === id || phoneDigits(to) === digits);
    if (!found) throw new Error(`There is no business number ${to ?? ''}.`);
    return found;
  };
  const mine = () => [...world.messages.values()].filter((message) => message.person === person);
  const sentToMe = (id?: string): Message => {
    const found = mine().findLast((message) => message.direction === 'out' && (id === undefined || message.id === id));
    if (!found) throw new Error(`${person.waId} was sent no message ${id ?? ''}.`);
    return found;
  };
  const put = (type: string, content: unknown, around: Surroundings = {}, more = {}) =>
    arrive(sim, person, number(around.to), type, content, around, more);
  const answer = (to: Message, type: string, content: unknown, quoted = true) =>
    put(type, content, { to: to.numberId, ...(quoted && { replyTo: to.id }) });

  function prefers(value: 'stop' | 'resume', to?: string): void {
    person.stoppedMarketing = value === 'stop';
    const { id: numberId } = number(to);
    const visible = phoneVisible(world, numberId, person, time.now());
    const who = { ...(visible && { wa_id: person.waId }), user_id: person.userId };
    const detail = `User requested to ${value} marketing messages`;
    const item = { ...who, detail, category: 'marketing_messages', value, timestamp: time.seconds() };
    const contact = contactOf(person, visible);
    sim.outbox.emit({
      accountId: accountOf(sim, numberId),
      numberId,
      field: 'user_preferences',
      list: 'user_preferences',
      item,
      contact,
    });
  }

  /** A new number or a new start with the app: the business-scoped id is another one. */
  function becomes(type: string, waId: string, told: Record<string, unknown>): Message {
    const previous = { from: person.waId, user_id: person.userId };
    world.people.delete(person.waId);
    world.peopleByUserId.delete(person.userId);
    Object.assign(person, { waId, userId: ids.user(person.country) });
    world.people.set(waId, person);
    world.peopleByUserId.set(person.userId, person);
    const system = { type, ...told, user_id: person.userId, previous_user_id: previous.user_id };
    // The number it came from is the old one; when only the id changes, no number is told.
    const from = type === 'user_changed_number' ? previous.from : undefined;
    return put('system', { body: `User ${previous.user_id} changed to ${person.userId}`, ...system }, {}, { from });
  }

  const control: PersonControl = {
    person,
    messages: mine,
    behaves(behaviour) {
      shape(person, behaviour);
      return control;
    },
    writes: (text, around) => put('text', { body: text }, around),
    sends({ kind, mimeType, bytes, ...described }, around) {
      const voice = kind === 'audio' ? { voice: described.voice ?? false } : {};
      const animated = kind === 'sticker' ? { animated: described.animated ?? false } : {};
      const { caption, filename } = described;
      const media = inboundMedia(sim, number(around?.to), mimeType, bytes);
      return put(
        kind,
        { ...(caption && { caption }), ...(filename && { filename }), ...media, ...voice, ...animated },
        around,
      );
    },
    sharesLocation: (location, around) => put('location', location, around),
    sharesContacts: (contacts, around) => put('contacts', contacts, around),
    orders: (order, around) => put('order', order, around),
    presses(button, messageId) {
      const message = sentToMe(messageId);
      const tap = tapOn(message, button);
      return answer(message, tap.type, tap.content);
    },
    answersFlow(answers, messageId) {
      const message = sentToMe(messageId);
      const response_json = JSON.stringify({ flow_token: flowTokenOf(message), ...answers });
      return answer(message, 'interactive', {
        type: 'nfm_reply',
        nfm_reply: { response_json, body: 'Sent', name: 'flow' },
      });
    },
    reacts(emoji, messageId) {
      const message = sentToMe(messageId);
      return answer(message, 'reaction', { message_id: message.id, ...(emoji && { emoji }) }, false);
    },
    sendsUnsupported(kind = 'poll_creation', code = 131051) {
      const errors = [webhookError(code, 'Message type is currently not supported.')];
      return put('unsupported', { type: kind }, {}, { errors });
    },
    changesNumber(newPhone) {
      const waId = waIdOf(phoneDigits(newPhone));
      return becomes('user_changed_number', waId, { wa_id: waId });
    },
    changesUserId: () => becomes('user_changed_user_id', person.waId, {}),
    sendsRaw: put,
    reads: (messageId) => report(sim, sentToMe(messageId), 'read', null),
    plays: (messageId) => report(sim, sentToMe(messageId), 'played', null),
    stopsMarketing: (to) => prefers('stop', to),
    resumesMarketing: (to) => prefers('resume', to),
  };
  return control;
}

/** The token that the flow was sent with, in an interactive message or in a template's button. */
function flowTokenOf({ payload }: Message): string {
  const found = JSON.stringify(payload).match(/"flow_token":("(?:[^"\\]|\\.)*")/);
  return found ? (JSON.parse(found[1]!) as string) : 'unused';
}
