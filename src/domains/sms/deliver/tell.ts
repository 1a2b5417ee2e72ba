import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { countTraffic, findAccountsWithNumbers } from '../../numbers/index.ts';
import { announce, findListening } from '../../webhooks/index.ts';
import { type ConcerningSms, findConcerningAnyAccount } from '../queries.ts';
import { presentToWebhooks } from '../schemas.ts';

/** A step that an SMS has taken. */
export interface Step {
  accountId: string;
  uuid: string;
  /** It has an address of its own that wants to hear of it. */
  hasCallback: boolean;
  /** The step was to leave the house. */
  left: boolean;
}

/**
 * Tells whoever listens of steps, and counts what left by the accounts' own numbers. SMS that concern nobody are not even
 * read: most accounts that send much send from a name.
 */
export async function tellSteps(db: Db, deps: Deps, steps: Step[]): Promise<void> {
  if (steps.length === 0) return;
  const accounts = [...new Set(steps.map(({ accountId }) => accountId))];
  const having = await findAccountsWithNumbers(db, accounts);
  const listening = await findListening(db, deps, 'sms.status', accounts);
  const concerned = steps.filter(
    ({ accountId, hasCallback }) => hasCallback || having.has(accountId) || listening.has(accountId),
  );
  if (concerned.length === 0) return;
  const concerning = await findConcerningAnyAccount(db, concerned, listening);
  const left = new Set(concerned.filter((step) => step.left).map(({ uuid }) => uuid));
  await countLeft(
    db,
    deps,
    concerning.filter(({ uuid }) => left.has(uuid)),
  );
  await tellWebhooks(db, deps, concerning);
}

/** What left by the account's own numbers counts as their traffic. */
const countLeft = (db: Db, { clock }: Deps, left: ConcerningSms[]): Promise<void> =>
  countTraffic(
    db,
    left
      .filter(({ webhooks }) => webhooks !== null)
      .map(({ account_id, from_digits }) => ({
        accountId: account_id,
        digits: from_digits,
        kind: 'SMS_OUT',
        at: clock.now(),
      })),
  );

/** Whoever listens is told where each SMS stands now, as the API shows it. */
const tellWebhooks = (db: Db, deps: Deps, concerning: ConcerningSms[]): Promise<void> =>
  announce(
    db,
    deps,
    concerning.map((row) => ({
      accountId: row.account_id,
      type: 'sms.status',
      data: presentToWebhooks(row),
      numberWebhooks: row.webhooks ?? [],
      ...(row.callback_url !== null && { callbackUrl: row.callback_url }),
    })),
  );
