import { behaviourOf, type Step } from './chat/behaviours.ts';
import { type DueRow, smsType } from './queries.ts';
import type { PhoneMessage } from './schemas.ts';
import { smsBehaviourOf } from './sms/behaviours.ts';

type Place = Pick<DueRow, 'type' | 'phone_digits' | 'step'>;

const stepsOf = ({ type, phone_digits: digits }: Place): readonly Step[] =>
  (type === smsType ? smsBehaviourOf(digits) : behaviourOf(digits)).steps;

/** What is due; undefined: there is no such step any more. */
export const stepOf = (row: Place): Step | undefined => stepsOf(row)[row.step];

export const stepAfter = (row: Place): Step | undefined => stepsOf(row)[row.step + 1];

/** What has happened. */
const stepsBefore = (row: Place): readonly Step[] => stepsOf(row).slice(0, row.step);

type Status = Pick<PhoneMessage, 'status' | 'status_description'>;
interface Row {
  direction: string;
  type: string;
  phone_digits: string;
  step: number;
}

const ranks: Record<PhoneMessage['status'], number> = { SENT: 0, DELIVERED: 1, READ: 2, FAILED: 3 };

/** What a phone has reported of a message so far: the furthest it came. */
export function statusOf(row: Row): Status {
  // The sandbox takes at once what people write.
  if (row.direction === 'INBOUND') return { status: 'DELIVERED', status_description: '' };
  let reached: Status = { status: 'SENT', status_description: '' };
  for (const step of stepsBefore(row)) {
    if (!('status' in step) || ranks[step.status] < ranks[reached.status]) continue;
    reached = { status: step.status, status_description: step.description ?? '' };
  }
  return reached;
}
