import { type CallStep, routeCall } from '../../routing/index.ts';
import { nowOf } from '../calls/call.ts';
import type { InboundCall } from './answer.ts';

export type { CallStep } from '../../routing/index.ts';

export const usualRingSeconds = 25;

/** Where a call may go, one after the other: as the number's routing config says, else to its `target_number`. */
export async function* findDestinations(call: InboundCall): AsyncGenerator<CallStep> {
  const { deps, accountId, number, row } = call;
  const facts = { number: number.digits, caller: row.from_digits, digits: call.row.digits, at: nowOf(call) };
  let isRouted = false;
  for await (const step of routeCall(deps, accountId, facts)) {
    isRouted = true;
    yield step;
  }
  if (isRouted || number.target_number === '') return;
  yield { kind: 'RING', numbers: [number.target_number], ringSeconds: usualRingSeconds, agent: null, route: '' };
}
