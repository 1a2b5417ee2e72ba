import { fieldsOf } from '../fields.ts';
import type { IntroRow } from '../queries.ts';
import type { IntroFields } from '../schemas.ts';

/** An intro as it was when a session started, in the words of the request: what the whole session goes by. */
export type IntroSnapshot = IntroFields & { uuid: string; shortcode: string };

export const snapshotOf = (row: IntroRow): IntroSnapshot => ({
  uuid: row.uuid,
  shortcode: row.shortcode,
  ...fieldsOf(row),
});
