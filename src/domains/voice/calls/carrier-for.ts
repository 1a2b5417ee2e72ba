import type { CarrierWith } from '../../../carriers/ports/carriers.ts';
import type { Deps } from '../../../deps.ts';
import { sandboxMode } from '../../accounts/index.ts';

/**
 * By which carrier an account's calls leave: a live one that it has links of, also when these are down just now; an account
 * without any tries things out, unless its sandbox is off.
 */
export async function carrierFor(
  deps: Pick<Deps, 'carriers' | 'db' | 'caches'>,
  accountId: string,
): Promise<CarrierWith<'voice'> | undefined> {
  const all = deps.carriers.all('voice');
  const live = all.filter(({ adoptsUnknown }) => !adoptsUnknown);
  for (const carrier of live) if (await carrier.voice.canDial(accountId)) return carrier;
  for (const carrier of live) if ((await carrier.voice.status(accountId)).length > 0) return carrier;
  if ((await sandboxMode(deps, accountId)) === 'off') return undefined;
  return all.find(({ adoptsUnknown }) => adoptsUnknown);
}
