import type { VoiceEngine } from '../../carriers/port.voice.ts';
import type { Deps } from '../../deps.ts';

/** Whether what it carries reaches real people. */
export const isLive = ({ carriers }: Pick<Deps, 'carriers'>, { name }: VoiceEngine): boolean =>
  !carriers.all().some((carrier) => carrier.name === name && carrier.adoptsUnknown);

/**
 * By which engine an account's calls leave: a live one that it has links of, also when these are down just now; an account
 * without any tries things out.
 */
export async function engineFor(
  deps: Pick<Deps, 'voice' | 'carriers'>,
  accountId: string,
): Promise<VoiceEngine | undefined> {
  const engines = deps.voice.all();
  const live = engines.filter((engine) => isLive(deps, engine));
  for (const engine of live) if (await engine.canDial(accountId)) return engine;
  for (const engine of live) if ((await engine.status(accountId)).length > 0) return engine;
  return engines.find((engine) => !isLive(deps, engine));
}
