import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '../../platform/db/connect/pool.ts';
import { notFound, ValidationError } from '../../platform/errors.ts';
import { withOffset } from '../../platform/http/validation/index.ts';
import { type AgentRow, findAgent, findChain, insertAgent, lockAgents, longestChain, updateAgent } from './queries.ts';
import { type AgentConfigCreate, type AgentConfigPatch, type AgentFields, fieldsOf, withDefaults } from './schemas.ts';

export const createAgent = ({ db }: Deps, accountId: string, request: AgentConfigCreate): Promise<AgentRow> =>
  inTransaction(db, async (db) => {
    const fields = ready(withDefaults(request));
    await checkFallback(db, accountId, fields);
    return (await findAgent(db, accountId, await insertAgent(db, accountId, fields)))!;
  });

export const changeAgent = (
  { db }: Deps,
  accountId: string,
  uuid: string,
  change: AgentConfigPatch,
): Promise<AgentRow> =>
  inTransaction(db, async (db) => {
    await lockAgents(db, accountId);
    const before = await findAgent(db, accountId, uuid);
    if (!before) throw notFound();
    const fields = ready({ ...fieldsOf(before), ...change });
    await checkFallback(db, accountId, fields, uuid);
    await updateAgent(db, accountId, uuid, fields);
    return (await findAgent(db, accountId, uuid))!;
  });

function ready(fields: AgentFields): AgentFields {
  if (fields.away_until === null) return fields;
  const away_until = withOffset(fields.away_until);
  // With their offsets, moments at the ends of the calendar are in years that cannot be written.
  const isFar = !(Date.parse(away_until) > 0 && Date.parse(away_until) < Date.UTC(9999, 0));
  if (isFar) throw new ValidationError({ away_until: ['Enter a moment between the years 1970 and 9999.'] });
  return { ...fields, away_until };
}

/** A fallback is there, and following it never leads back. */
async function checkFallback(db: Db, accountId: string, { fallback }: AgentFields, self?: string): Promise<void> {
  if (fallback === null) return;
  const chain = await findChain(db, accountId, fallback);
  if (chain.length === 0) throw new ValidationError({ fallback: [`Agent "${fallback}" does not exist.`] });
  if (chain.some(({ uuid }) => uuid === self)) {
    throw new ValidationError({ fallback: ['An agent cannot be its own fallback, not by way of others either.'] });
  }
  if (chain.length === longestChain) {
    throw new ValidationError({ fallback: [`No more than ${longestChain} agents can follow each other.`] });
  }
}
