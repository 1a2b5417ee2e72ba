import type { Deps } from '../../../deps.ts';
import { sandboxMode } from '../../accounts/index.ts';
import type { Fiction } from './queries.ts';

/** Fictional numbers are for trying things out: whoever does not adopt what is unknown gets none. */
export const fictionFor = async (deps: Deps, accountId: string): Promise<Fiction> => ({
  carriers: [...deps.carriers.trials],
  isOffered: (await sandboxMode(deps, accountId)) === 'adopt',
});
