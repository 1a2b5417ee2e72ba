import type { Api } from './api.ts';
import { Complaint } from './complaint.ts';

/** Takes numbers out of the pool, one after the other. The exit code: 0 all are out, 1 some are not. */
export async function withdrawNumbers(api: Api, numbers: string[], options: { json?: boolean }): Promise<number> {
  const results: { number: string; withdrawn: boolean; problem?: string }[] = [];
  for (const number of numbers) {
    try {
      await api.call('DELETE', `/v2/number/pool/${encodeURIComponent(number)}/`);
      results.push({ number, withdrawn: true });
    } catch (error) {
      // What was refused is said; that nobody answers is not.
      if (!(error instanceof Complaint) || error.exitCode !== 1) throw error;
      results.push({ number, withdrawn: false, problem: error.message });
    }
  }
  if (options.json) console.log(JSON.stringify(results));
  else
    for (const { number, problem } of results) console.log(problem ? `${number}: ${problem}` : `${number}: withdrawn.`);
  return results.every(({ withdrawn }) => withdrawn) ? 0 : 1;
}
