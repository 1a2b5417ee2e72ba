import type { Schema } from '../../../../api/types.ts';

type Condition = Schema<'SegmentCondition'>;
type Operator = Condition['operator'];

/** A condition as people write it. */
export interface ConditionForm {
  field: string;
  operator: Operator;
  /** Several are parted by commas. */
  value: string;
}

/** By the operator: how it is said, and what it is compared with. */
export const operators: Record<Operator, { says: string; takes: 'one' | 'several' | 'nothing' }> = {
  EQ: { says: 'is', takes: 'one' },
  NE: { says: 'is not', takes: 'one' },
  GT: { says: 'is more than', takes: 'one' },
  GTE: { says: 'is at least', takes: 'one' },
  LT: { says: 'is less than', takes: 'one' },
  LTE: { says: 'is at most', takes: 'one' },
  CONTAINS: { says: 'contains', takes: 'one' },
  IN: { says: 'is one of', takes: 'several' },
  NOT_IN: { says: 'is none of', takes: 'several' },
  SET: { says: 'is known', takes: 'nothing' },
  NOT_SET: { says: 'is not known', takes: 'nothing' },
};

const prefix = 'attributes.';
const fields: Record<string, string> = { name: 'Name', language_code: 'Language', time_zone: 'Time zone' };
export const knownFields = Object.values(fields);

/** What people call a field: an attribute by its own name. */
const sayField = (field: string): string => fields[field] ?? field.replace(prefix, '');
const fieldOf = (said: string): string =>
  Object.keys(fields).find((field) => fields[field] === said.trim()) ?? prefix + said.trim();

export const conditionFormOf = ({ field, operator, value = '' }: Condition): ConditionForm => ({
  field: sayField(field),
  operator,
  value: Array.isArray(value) ? value.join(', ') : String(value),
});

/** A number is compared as one where the order counts; anything else is a text, as what is known of people mostly is. */
const ordering: Operator[] = ['GT', 'GTE', 'LT', 'LTE'];

export function conditionOf({ field, operator, value }: ConditionForm): Condition {
  const { takes } = operators[operator];
  const texts = value
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean);
  const isNumber = ordering.includes(operator) && /^-?\d+([.]\d+)?$/.test(value.trim());
  return {
    field: fieldOf(field),
    operator,
    ...(takes === 'one' && { value: isNumber ? Number(value) : value.trim() }),
    ...(takes === 'several' && { value: texts }),
  };
}

/** `city is one of London, Leeds`. */
export function sayCondition(condition: Condition): string {
  const { field, operator, value } = conditionFormOf(condition);
  const { says, takes } = operators[operator];
  return takes === 'nothing' ? `${field} ${says}` : `${field} ${says} ${value}`;
}

/** What is still to be filled in. */
export const isWhole = ({ field, operator, value }: ConditionForm): boolean =>
  field.trim() !== '' && (operators[operator].takes === 'nothing' || value.trim() !== '');
