import type { CarrierWith } from '../../../carriers/ports/carriers.ts';
import type { Deps } from '../../../deps.ts';

/**
 * By which carrier an account's calls leave: a live one that it has links of, also when these are down just now; an account
 * without any tries things out.
 */
export async function carrierFor(
  { carriers }: Pick<Deps, 'carriers'>,
  accountId: string,
): Promise<CarrierWith<'voice'> | undefined> {
  const all = carriers.all('voice');
  const live = all.filter(({ adoptsUnknown }) => !adoptsUnknown);
  for (const carrier of live) if (await carrier.voice.canDial(accountId)) return carrier;
  for (const carrier of live) if ((await carrier.voice.status(accountId)).length > 0) return carrier;
  return all.find(({ adoptsUnknown }) => adoptsUnknown);
}
