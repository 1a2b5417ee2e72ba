import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Deps } from '../../deps.ts';
import { isUnreadable } from '../../platform/content/content.ts';
import { uuidArray } from '../../platform/db/arrays.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { ApiError, type ErrorCode, ValidationError } from '../../platform/errors.ts';
import { eachOnce, ManyResult, Uuid } from '../../platform/http/openapi/models.ts';
import { within } from '../../platform/within.ts';
import { appendEvents } from '../timeline/index.ts';
import type { StatesTable } from './outbox.ts';

export const ResendResult = Type.Object(
  {
    ...ManyResult.properties,
    done: Type.Integer({ description: 'How many are sent again.' }),
    resent: Type.Array(
      Type.Object(
        { uuid: Uuid('The one that failed.'), sent_as: Uuid('The one that is sent in its place.') },
        { title: 'Resent' },
      ),
      { description: 'Those that are sent again, in the order of the request.' },
    ),
  },
  { title: 'ResendResult', description: 'What is sent again; one that cannot be keeps none of the others from it.' },
);

/** What must be known of something that was sent to decide whether it may be sent again. */
export interface Sent {
  uuid: string;
  status: string;
  sensitive?: number;
  /** What was sent in its place. */
  resent_as?: string | null;
}

/** What messages and SMS do in their own way. */
export interface Resending<S extends Sent> {
  outbox: Pick<StatesTable, 'subject'> & ReturnType<typeof makeResent>;
  notFailed: ErrorCode;
  /** The ones that exist, locked. Of two requests for the same ones the second waits, and then sees what the first did. */
  find(db: Db, accountId: string, uuids: string[]): Promise<S[]>;
  /** What it said. */
  contentOf(sent: S): unknown;
  send(deps: Deps, sent: S[]): Promise<PromiseSettledResult<{ uuid: string }>[]>;
}

/**
 * Sends failed messages once more, as new messages; the failed ones keep their status. Each can be sent again only once, however
 * often that is asked for. The new message is checked like any other, and a refusal is reported.
 */
export const resendMany = <S extends Sent>(deps: Deps, accountId: string, uuids: string[], way: Resending<S>) =>
  within(deps, async (deps) => {
    const asked = eachOnce(uuids);
    const found = new Map((await way.find(deps.db, accountId, asked)).map((row) => [row.uuid, row]));
    const refusals = new Map<string, { detail: string; code: string }>();
    const due: S[] = [];
    for (const uuid of asked) {
      const row = found.get(uuid);
      const code = whyNot(row, way);
      if (code) refusals.set(uuid, refusalOf(new ApiError(code)));
      else due.push(row!);
    }
    const results = due.length > 0 ? await way.send(deps, due) : [];
    const resent = due.flatMap(({ uuid }, index) => {
      const result = results[index]!;
      if (result.status === 'fulfilled') return [{ uuid, sent_as: result.value.uuid }];
      refusals.set(uuid, refusalOf(result.reason));
      return [];
    });
    await way.outbox.noteResent(deps.db, accountId, resent);
    await appendEvents(
      deps.db,
      resent.map(({ uuid, sent_as }) => ({
        accountId,
        subjectType: way.outbox.subject,
        subject: uuid,
        kind: `${way.outbox.subject}.resent`,
        data: { sent_as },
      })),
    );
    const errors = asked.flatMap((uuid) => (refusals.has(uuid) ? [{ uuid, ...refusals.get(uuid)! }] : []));
    return { done: resent.length, errors, resent };
  });

function whyNot<S extends Sent>(row: S | undefined, way: Resending<S>): ErrorCode | undefined {
  if (!row) return 'not_found';
  if (row.status !== 'FAILED') return way.notFailed;
  if (row.resent_as) return 'already_resent';
  return row.sensitive || isUnreadable(way.contentOf(row)) ? 'content_not_kept' : undefined;
}

/** The words with which a request for this one alone would have been refused. */
function refusalOf(reason: unknown): { detail: string; code: string } {
  if (reason instanceof ApiError) return { detail: reason.message, code: reason.code };
  if (reason instanceof ValidationError) return { detail: sentencesOf(reason.errors).join(' '), code: 'invalid' };
  throw reason;
}

function sentencesOf(errors: unknown): string[] {
  if (typeof errors === 'string') return [errors];
  if (typeof errors !== 'object' || errors === null) return [];
  return Object.values(errors).flatMap(sentencesOf);
}

/** The statement that notes what was sent in whose place. */
export const makeResent = ({ states }: StatesTable) => ({
  async noteResent(db: Db, accountId: string, resent: { uuid: string; sent_as: string }[]): Promise<void> {
    if (resent.length === 0) return;
    await sql`
      update ${sql.table(states)} as state set resent_as = again.sent_as
      from unnest(${uuidArray(resent.map(({ uuid }) => uuid))}::uuid[], ${uuidArray(resent.map((one) => one.sent_as))}::uuid[])
        as again (uuid, sent_as)
      where state.account_id = ${accountId} and state.uuid = again.uuid`.execute(db);
  },
});
