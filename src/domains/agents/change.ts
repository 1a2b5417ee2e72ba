import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '../../platform/db/connect/pool.ts';
import { notFound, ValidationError } from '../../platform/errors.ts';
import { withOffset } from '../../platform/http/validation/index.ts';
import { isPhone, readPhone } from '../../platform/phone.ts';
import { countryOf } from '../accounts/index.ts';
import {
  type AgentRow,
  deleteAgent,
  findAgent,
  findChain,
  insertAgent,
  lockAgents,
  longestChain,
  type StoredAgent,
  updateAgent,
} from './queries.ts';
import {
  type AgentConfigCreate,
  type AgentConfigPatch,
  type AgentFields,
  calleeSentence,
  fieldsOf,
  isSipAddress,
  phonesOf,
  withDefaults,
} from './schemas.ts';

export async function createAgent(deps: Deps, accountId: string, request: AgentConfigCreate): Promise<AgentRow> {
  const country = await countryOf(deps, accountId);
  return inTransaction(deps.db, async (db) => {
    const fields = ready(withDefaults(request), country);
    await checkFallback(db, accountId, fields);
    return (await findAgent(db, accountId, await insertAgent(db, accountId, fields)))!;
  });
}

export async function changeAgent(
  deps: Deps,
  accountId: string,
  uuid: string,
  change: AgentConfigPatch,
): Promise<AgentRow> {
  const country = await countryOf(deps, accountId);
  return inTransaction(deps.db, async (db) => {
    await lockAgents(db, accountId);
    const before = await findAgent(db, accountId, uuid);
    if (!before) throw notFound();
    const fields = ready({ ...fieldsOf(before), ...change }, country, change.numbers !== undefined);
    await checkFallback(db, accountId, fields, uuid);
    await updateAgent(db, accountId, uuid, fields);
    return (await findAgent(db, accountId, uuid))!;
  });
}

/** After a change that is under way, which would find them gone half-way. */
export const removeAgent = ({ db }: Deps, accountId: string, uuid: string): Promise<void> =>
  inTransaction(db, async (db) => {
    await lockAgents(db, accountId);
    if (!(await deleteAgent(db, accountId, uuid))) throw notFound();
  });

/** Numbers that stay as they are were checked when they were given. */
function ready(given: AgentFields, country: string, hasNewNumbers = true): StoredAgent {
  if (hasNewNumbers) checkNumbers(given, country);
  const fields = { ...given, number_digits: phonesOf(given).map((number) => readPhone(number, country)) };
  if (fields.away_until === null) return fields;
  const away_until = withOffset(fields.away_until);
  // With their offsets, moments at the ends of the calendar are in years that cannot be written.
  const isFar = !(Date.parse(away_until) > 0 && Date.parse(away_until) < Date.UTC(9999, 0));
  if (isFar) throw new ValidationError({ away_until: ['Enter a moment between the years 1970 and 9999.'] });
  return { ...fields, away_until };
}

function checkNumbers({ numbers }: AgentFields, country: string): void {
  const wrong = [...numbers.entries()].filter(([, number]) => !isSipAddress(number) && !isPhone(number, country));
  if (wrong.length === 0) return;
  throw new ValidationError({ numbers: Object.fromEntries(wrong.map(([place]) => [place, [calleeSentence]])) });
}

/** A fallback is there, and following it never leads back. */
async function checkFallback(db: Db, accountId: string, { fallback }: AgentFields, self?: string): Promise<void> {
  if (fallback === null) return;
  const chain = await findChain(db, accountId, fallback);
  if (chain.length === 0) throw new ValidationError({ fallback: [`Agent "${fallback}" does not exist.`] });
  if (chain.some(({ uuid }) => uuid === self)) {
    throw new ValidationError({ fallback: ['An agent cannot be its own fallback, directly or through other agents.'] });
  }
  if (chain.length === longestChain) {
    throw new ValidationError({ fallback: [`No more than ${longestChain} agents can follow each other.`] });
  }
}
