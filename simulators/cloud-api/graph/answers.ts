import type { Call } from './call.ts';
import { type Fields, invalid } from './checks.ts';

/** The fields that the caller asked for, or the usual ones; the id always. Unknown names are an error. */
export function pickFields(object: Fields, call: Call, usual: readonly string[]): Fields {
  const asked = call.query.get('fields');
  // `preview.invalidate(false)`, `qr_image_url.format(SVG)`: the modifier is not part of the name.
  const names = asked ? asked.split(/,(?![^(]*\))/).map((name) => name.trim().split(/[.({]/)[0]!) : usual;
  const unknown = names.find((name) => !(name in object));
  if (unknown !== undefined) throw invalid(`Tried accessing nonexisting field (${unknown})`);
  return Object.fromEntries(
    [...names, 'id'].flatMap((name) => (object[name] === undefined ? [] : [[name, object[name]]])),
  );
}

const encode = (position: number): string => Buffer.from(`at:${position}`).toString('base64url');

function decode(cursor: string): number {
  const position = /^at:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (position === undefined) throw invalid('Invalid cursor.');
  return Number(position);
}

/** One page of a list as Graph gives it: cursors, and `next` only when more follows. */
export function pageOf(items: readonly Fields[], call: Call, origin: string) {
  const limit = Number(call.query.get('limit') ?? 25);
  if (!Number.isInteger(limit) || limit < 1) throw invalid('Param limit must be a positive integer.');
  const [after, before] = [call.query.get('after'), call.query.get('before')];
  const start = after ? decode(after) + 1 : before ? Math.max(0, decode(before) - limit) : 0;
  const end = before && !after ? decode(before) : start + limit;
  const data = items.slice(start, end);
  if (data.length === 0) return { data };
  const last = start + data.length - 1;
  const paging: Fields = { cursors: { before: encode(start), after: encode(last) } };
  if (last + 1 < items.length) {
    const query = new URLSearchParams(call.query);
    query.delete('before');
    query.set('after', encode(last));
    paging['next'] = `${origin}/${call.version}/${call.id}/${call.edge}?${query}`;
  }
  return { data, paging };
}
