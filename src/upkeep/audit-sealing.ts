import type { Deps } from '../deps.ts';
import { presentAuditEntry } from '../domains/accounts/index.ts';
import { announce } from '../domains/webhooks/index.ts';
import { findUnsealedAnyAccount, sealAuditEntries } from '../platform/http/audit-chain.ts';
import { within } from '../platform/within.ts';
import { type Loop, startLoop } from '../platform/work/loop.ts';

const pauseMs = 2_000;
const accountsAtOnce = 100;
const somethingText = 'exists (select 1 from audit_log where sequence is null)';

/** Adds new entries of the audit log to the chain of their account, and tells the webhooks that ask for them. */
export function startAuditSealing(deps: Deps): Loop {
  const seal = async (): Promise<number> => {
    const accounts = await findUnsealedAnyAccount(deps.db, accountsAtOnce);
    let failed = 0;
    for (const accountId of accounts) {
      try {
        await sealEntriesOf(deps, accountId);
      } catch (error) {
        // One account's trouble is not that of the others.
        failed++;
        deps.log.error({ err: error, accountId }, 'The audit log of an account could not be sealed');
      }
    }
    return accounts.length === accountsAtOnce && failed === 0 ? 0 : pauseMs;
  };
  return startLoop(deps.log, 'audit log', seal, { watch: deps.listener.poll.watch(somethingText) });
}

const sealEntriesOf = (deps: Deps, accountId: string): Promise<void> =>
  within(deps, async (deps) => {
    const { db, vault } = deps;
    const rows = await sealAuditEntries(db, vault, accountId);
    await announce(
      db,
      deps,
      rows.map((row) => ({ accountId, type: 'audit.entry', data: presentAuditEntry(row) })),
    );
  });
