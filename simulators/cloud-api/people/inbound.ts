import { createHash } from 'node:crypto';
import { addMedia, urlOfMedia } from '../media/media.ts';
import { accountOf, contactOf } from '../messages/statuses.ts';
import type { Sim } from '../sim.ts';
import { chatOf, type Message, type Person, type PhoneNumber, phoneVisible } from '../world.ts';

/** What may stand beside the content of an inbound message. */
export interface Surroundings {
  /** Quotes a message: an answer to it. */
  replyTo?: string;
  forwarded?: boolean;
  frequentlyForwarded?: boolean;
  referredProduct?: { catalog_id: string; product_retailer_id: string };
  /** Where the person came from: an advertisement or a post. */
  referral?: Record<string, unknown>;
  /** The business number it is written to; by default the first one. */
  to?: string;
}

/** A person's message arrives at the platform: kept, the window opened, the client told. */
export function arrive(
  sim: Sim,
  person: Person,
  number: PhoneNumber,
  type: string,
  content: unknown,
  around: Surroundings = {},
  more: Record<string, unknown> = {},
): Message {
  const { world, time, ids } = sim;
  const now = time.now();
  const chat = chatOf(world, number.id, person);
  const visible = phoneVisible(world, number.id, person, now);
  const id = ids.message(person.waId, 'in');
  const context = contextOf(number, around);
  const item = {
    ...(context && { context }),
    ...(visible && { from: person.waId }),
    from_user_id: person.userId,
    id,
    timestamp: String(time.seconds()),
    type,
    ...more,
    ...(content !== undefined && { [type]: content }),
    ...(around.referral && { referral: around.referral }),
  };
  const message: Message = {
    id,
    direction: 'in',
    numberId: number.id,
    person,
    type,
    payload: item,
    template: null,
    byPhone: visible,
    at: now,
    statuses: [],
    readByBusiness: false,
  };
  world.messages.set(id, message);
  // A system message is the platform's own: it opens no window and introduces nobody.
  const fromPerson = type !== 'system';
  if (fromPerson) chat.lastInboundAt = now;
  if (fromPerson && !person.phoneHidden) chat.phoneUsedAt = now;
  if (around.referral) chat.referralAt = now;
  if (number.blocked.has(person.waId)) return message;
  const contact = fromPerson ? contactOf(person, visible) : null;
  sim.outbox.emit({
    accountId: accountOf(sim, number.id),
    numberId: number.id,
    field: 'messages',
    list: 'messages',
    item,
    contact,
  });
  return message;
}

function contextOf(number: PhoneNumber, around: Surroundings): Record<string, unknown> | undefined {
  if (around.replyTo !== undefined) return { from: number.digits, id: around.replyTo };
  if (around.frequentlyForwarded) return { frequently_forwarded: true };
  if (around.forwarded) return { forwarded: true };
  if (around.referredProduct) return { from: number.digits, referred_product: around.referredProduct };
  return undefined;
}

/** A file that a person sends: kept for seven days, introduced with its hash and a link. */
export function inboundMedia(sim: Sim, number: PhoneNumber, mimeType: string, bytes: Buffer) {
  const media = addMedia(sim, number.id, mimeType, bytes, 7);
  const sha256 = createHash('sha256').update(bytes).digest('base64');
  return { id: media.id, mime_type: mimeType, sha256, url: urlOfMedia(sim, media) };
}
