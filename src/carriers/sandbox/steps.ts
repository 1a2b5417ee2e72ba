import { behaviourOf, type Step } from './behaviours.ts';
import { type DueRow, smsType } from './queries.ts';
import { smsBehaviourOf } from './sms-behaviours.ts';

type Place = Pick<DueRow, 'type' | 'phone_digits' | 'step'>;

const stepsOf = ({ type, phone_digits: digits }: Place): readonly Step[] =>
  (type === smsType ? smsBehaviourOf(digits) : behaviourOf(digits)).steps;

/** What is due; undefined: there is no such step any more. */
export const stepOf = (row: Place): Step | undefined => stepsOf(row)[row.step];

export const stepAfter = (row: Place): Step | undefined => stepsOf(row)[row.step + 1];

/** What has happened. */
export const stepsBefore = (row: Place): readonly Step[] => stepsOf(row).slice(0, row.step);
