import { createHmac } from 'node:crypto';
import type { World } from '../world.ts';

interface Origin {
  accountId: string;
  /** null for what concerns the account as a whole. */
  numberId: string | null;
  field: string;
}

/** One thing to tell: an element of a list that others may share, or a value of its own. */
export type Update = Listed | (Origin & { value: object });

type Listed = Origin & {
  list: 'messages' | 'statuses' | 'user_preferences';
  item: object;
  contact: object | null;
};

interface Change {
  value: Record<string, unknown>;
  field: string;
}

/** The body of one webhook POST: an entry per account, neighbours of one list in one change. */
export function payloadOf(updates: readonly Update[], world: World, seconds: number) {
  const entries = [...Map.groupBy(updates, ({ accountId }) => accountId)].map(([id, mine]) => {
    // Account-level entries carry the moment; message entries do not.
    const timed = mine.some((update) => 'value' in update) ? { time: seconds } : {};
    return { id, ...timed, changes: changesOf(mine, world) };
  });
  return { object: 'whatsapp_business_account', entry: entries };
}

interface Shared {
  change: Change;
  /** Who was introduced already. */
  known: Set<string>;
  items: object[];
}

function changesOf(updates: readonly Update[], world: World): Change[] {
  const changes: Change[] = [];
  let open: Shared | undefined;
  let openKey = '';
  for (const update of updates) {
    if ('value' in update) {
      open = undefined;
      changes.push({ value: { ...update.value }, field: update.field });
      continue;
    }
    // A status with contacts and one without (failed) do not share a value.
    const key = [update.numberId, update.field, update.list, update.contact !== null].join(' ');
    if (!open || openKey !== key) {
      open = openShared(update, world);
      openKey = key;
      changes.push(open.change);
    }
    add(open, update);
  }
  return changes;
}

function openShared({ numberId, field, list, contact }: Listed, world: World): Shared {
  const metadata = { display_phone_number: world.numbers.get(numberId ?? '')?.digits, phone_number_id: numberId };
  const items: object[] = [];
  const contacts = contact ? { contacts: [] } : {};
  const value = { messaging_product: 'whatsapp', metadata, ...contacts, [list]: items };
  return { change: { value, field }, known: new Set(), items };
}

function add({ change, known, items }: Shared, { item, contact }: Listed): void {
  const introduction = JSON.stringify(contact);
  if (contact && !known.has(introduction)) {
    known.add(introduction);
    (change.value['contacts'] as object[]).push(contact);
  }
  items.push(item);
}

/**
 * JSON as the platform prints it: `/` as `\/`, everything beyond ASCII as lower-case `\uXXXX`, and `@` as `\u0040`.
 * A receiver that parses and prints again gets other bytes, and another signature.
 */
export function platformJson(value: unknown, options: { escapeAt: boolean } = { escapeAt: true }): string {
  const plain = JSON.stringify(value).replaceAll('/', '\\/');
  const escaped = plain.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return options.escapeAt ? escaped.replaceAll('@', '\\u0040') : escaped;
}

/** The value of `X-Hub-Signature-256` for exactly these bytes. */
export const signatureOf = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body, 'utf8').digest('hex')}`;
