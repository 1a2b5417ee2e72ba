import type { EventData } from '../webhooks/index.ts';
import { Call } from './schemas.ts';

/** The call as it stands after the step. */
export const callEvents = {
  'call.started': Call,
  'call.answered': Call,
  'call.ended': Call,
  'call.recording_ready': Call,
  'call.voicemail_received': Call,
  'call.digits_captured': Call,
} satisfies EventData;
