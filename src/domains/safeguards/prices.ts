import type { Deps } from '../../deps.ts';
import { type AccountPrices, findAccount } from '../accounts/index.ts';
import { policiesOf } from './policy.ts';
import { makePriceList, type PriceList } from './price-list.ts';

/** The prices of an account, with or without safeguards. */
export async function priceListOf(deps: Pick<Deps, 'db' | 'caches'>, accountId: string): Promise<PriceList> {
  const policy = (await policiesOf(deps, [accountId])).get(accountId);
  if (policy) return policy.prices;
  const { prices } = await findAccount(deps.db, accountId);
  return makePriceList([], prices as AccountPrices | null);
}
