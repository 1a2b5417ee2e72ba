import type { InboundLeg } from '../../../carriers/ports/voice.ts';
import type { CalledNumber } from '../../numbers/index.ts';
import { type LiveCall, step } from '../calls/call.ts';

/** A call to one of our numbers. */
export interface InboundCall extends LiveCall {
  leg: InboundLeg;
  number: CalledNumber;
}

/** Only who was answered can hear anything but ringing. */
export async function answer(call: InboundCall): Promise<void> {
  if (call.isAnswered) return;
  await step(call, call.leg.answer());
  call.isAnswered = true;
}
