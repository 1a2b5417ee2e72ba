import { listAllAuditEntries, listEveryAccountAnyAccount, presentAuditEntry } from '../../domains/accounts/index.ts';
import { verifyChain } from '../../platform/http/audit-chain.ts';
import { isUuid } from '../../platform/ids.ts';
import { Complaint, thousands } from '../terminal.ts';
import { onVault } from './secrets.ts';

type Environment = Record<string, string | undefined>;

/** Goes through the chain of one account, or of all, and answers the exit code. */
export async function verifyAudit(
  env: Environment,
  { account, json }: { account?: string; json?: boolean },
): Promise<number> {
  refuseOther(account);
  const reports = await onVault(env, async (db, vault) => {
    const accounts = (await listEveryAccountAnyAccount(db)).filter(({ uuid }) => !account || uuid === account);
    if (account && accounts.length === 0) throw new Complaint(`There is no account ${account}.`, 2);
    const found = [];
    for (const { uuid, name } of accounts) found.push({ account: uuid, name, ...(await verifyChain(db, vault, uuid)) });
    return found;
  });
  if (json) console.log(JSON.stringify(reports));
  else
    for (const { account, name, status, checked, problem, problem_sequence, last_sequence, last_hash } of reports) {
      const at = problem_sequence === null ? '' : ` (entry ${problem_sequence})`;
      const text = problem
        ? `${problem}${at}`
        : `${thousands(checked)} entries, the last ${last_sequence ?? 0} ${last_hash ?? ''}`;
      console.log(`${status.padEnd(7)}  ${account}  ${name}: ${text.trimEnd()}`);
    }
  return reports.every(({ status }) => status === 'INTACT') ? 0 : 1;
}

/** Prints the entries of an account, each with its number and hash. */
export async function exportAudit(env: Environment, { account }: { account: string }): Promise<void> {
  refuseOther(account);
  await onVault(env, async (db) => {
    for await (const rows of listAllAuditEntries(db, account))
      for (const row of rows) console.log(JSON.stringify(presentAuditEntry(row)));
  });
}

function refuseOther(account: string | undefined): void {
  if (account !== undefined && !isUuid(account)) throw new Complaint(`"${account}" is not the uuid of an account.`, 2);
}
