import { type FlowPart, isRequired, type Scope, type Values, wordsOf } from './flow-definition.ts';

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

const fieldTypes = new Set([
  'TextInput',
  'TextArea',
  'DatePicker',
  'CalendarPicker',
  'Dropdown',
  'RadioButtonsGroup',
  'CheckboxGroup',
  'ChipsSelector',
  'OptIn',
]);

export const isField = (part: FlowPart): part is FlowPart & { name: string } =>
  typeof part.name === 'string' && fieldTypes.has(part.type);

/** What is wrong with what was filled in, by field. */
export function checkFields(parts: FlowPart[], scope: Scope): Record<string, string> {
  const found: Record<string, string> = {};
  for (const part of parts.filter(isField)) {
    const problem = problemWith(part, scope.form[part.name], scope);
    if (problem) found[part.name] = problem;
  }
  return found;
}

function problemWith(part: FlowPart, value: unknown, scope: Scope): string | undefined {
  if (isEmpty(value)) return isRequired(part, scope) ? 'This is needed.' : undefined;
  const text = String(value);
  const least = Number(part['min-chars']);
  const most = Number(part['max-chars'] ?? part['max-length']);
  if (least && text.length < least) return `Write at least ${least} characters.`;
  if (most && typeof value === 'string' && text.length > most) return `Write at most ${most} characters.`;
  if (Array.isArray(value)) return countProblem(part, value.length);
  const shape = shapes[String(part['input-type'] ?? '')];
  if (shape && !shape.test(text)) return wordsOf(part['error-message'], scope) || 'This does not look right.';
  return undefined;
}

function countProblem(part: FlowPart, count: number): string | undefined {
  const least = Number(part['min-selected-items']);
  const most = Number(part['max-selected-items']);
  if (least && count < least) return `Choose at least ${least}.`;
  return most && count > most ? `Choose at most ${most}.` : undefined;
}

const shapes: Record<string, RegExp> = {
  email: /^\S+@\S+\.\S+$/,
  number: /^-?\d+([.,]\d+)?$/,
  phone: /^\+?[\d\s().-]{5,}$/,
  passcode: /^\d+$/,
};

/** Only what can be seen is answered. */
export const answersOf = (parts: FlowPart[], form: Values): Values =>
  Object.fromEntries(parts.filter(isField).flatMap(({ name }) => (isEmpty(form[name]) ? [] : [[name, form[name]]])));
