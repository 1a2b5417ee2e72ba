import type { Db } from '../../../platform/db/connect/pool.ts';
import type { Page, PageQuery } from '../../../platform/db/page.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import { findFlowIds } from '../chat/management.ts';
import { flowOf } from '../chat/replies.ts';
import { listPhone, type ReactionRow, readOnPhones, readReactions } from '../queries.ts';
import type { PhoneMessage } from '../schemas.ts';
import { statusOf } from '../steps.ts';
import { presentOnPhone } from './phone.ts';

type Row = Awaited<ReturnType<typeof listPhone>>['rows'][number];

/** A page of what a phone shows: each message with what became of it, what it quotes, and the reactions to it. */
export async function showPhone(
  db: Db,
  accountId: string,
  number: string,
  query: PageQuery,
): Promise<Page<PhoneMessage>> {
  const page = await listPhone(db, accountId, number, query);
  const quoted = page.rows.flatMap(({ quotes }) => quotes ?? []);
  const [reactions, others, flows] = await Promise.all([
    page.rows.length > 0
      ? readReactions(
          db,
          accountId,
          page.rows.map(({ uuid }) => uuid),
        )
      : [],
    quoted.length > 0 ? readOnPhones(db, accountId, quoted) : [],
    flowsOf(db, accountId, page.rows),
  ]);
  const reactionsTo = Map.groupBy(reactions, ({ quotes }) => quotes);
  const known = new Map(others.map((row) => [row.uuid, row]));
  return {
    ...page,
    rows: page.rows.map((row) => ({
      ...presentOnPhone(row),
      ...statusOf(row),
      context: contextOf(row, known),
      reactions: latestOf(reactionsTo.get(row.uuid) ?? []),
      flow: flows.get(row) ?? null,
    })),
  };
}

/** A reaction is no quote: it stands on the message itself. */
function contextOf({ quotes, type }: Row, known: Map<string, Row>): PhoneMessage['context'] {
  if (quotes === null || type === 'REACTION') return null;
  const quoted = known.get(quotes);
  const { direction = null, type: kind = null, text = '' } = quoted ? presentOnPhone(quoted) : {};
  return { message_uuid: quotes, direction, type: kind, text };
}

/** The last word of each side; an empty one takes back. */
function latestOf(reactions: ReactionRow[]): PhoneMessage['reactions'] {
  const latest = new Map(reactions.map(({ direction, emoji }) => [direction, emoji]));
  return [...latest].flatMap(([direction, emoji]) => (emoji === '' ? [] : [{ direction, emoji }]));
}

/** The flows that messages open; those which are known by their names are looked up. */
async function flowsOf(db: Db, accountId: string, rows: Row[]): Promise<Map<Row, NonNullable<PhoneMessage['flow']>>> {
  const offers = rows.flatMap((row) => {
    const offer = flowOf(row);
    return offer ? [{ row, offer }] : [];
  });
  const unknown = offers.filter(({ offer }) => offer.id === undefined && offer.name !== undefined);
  const names = unknown.map(({ row, offer }) => ({ numberDigits: phoneDigits(row.chatapp_number), name: offer.name! }));
  const ids = names.length > 0 ? await findFlowIds(db, accountId, names) : [];
  const found = new Map(unknown.map(({ row }, place) => [row, ids[place]]));
  return new Map(
    offers.map(({ row, offer: { id, name = '', token, screen, data } }) => [
      row,
      { flow_id: id ?? found.get(row) ?? null, name, flow_token: token, screen, data },
    ]),
  );
}
