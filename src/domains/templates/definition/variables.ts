import type { FieldErrors } from '../../../platform/errors.ts';
import type { ParameterFormat, Part } from './schemas.ts';

/** The variables of a text in order of appearance, `{{1}}` or `{{name}}`. */
export const variablesOf = (text: string): string[] =>
  [...text.matchAll(/\{\{([^{}]*)\}\}/g)].map((match) => match[1]!.trim());

/** Numbered from 1 in order, or named in lower case. A sentence when they are not. */
function namingProblem(variables: string[], format: ParameterFormat): string | undefined {
  const isRight =
    format === 'NAMED'
      ? variables.every((name) => /^[a-z][a-z0-9_]*$/.test(name))
      : [...new Set(variables)].every((name, index) => name === String(index + 1));
  if (isRight) return undefined;
  return format === 'NAMED'
    ? 'Variables are named with lower-case letters, digits and underscores, such as {{first_name}}.'
    : 'Variables are numbered {{1}}, {{2}} and so on, in order and without gaps.';
}

/** Whether a variable stands first or last, where the platform wants words. */
const isAtEdge = (text: string): boolean => /^\s*\{\{[^{}]*\}\}|\{\{[^{}]*\}\}\s*$/.test(text);

const wordsOf = (text: string): number =>
  text
    .replaceAll(/\{\{[^{}]*\}\}/g, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

const wordsPerVariable = 2;

function bodyTextProblem(text: string, variables: string[], format: ParameterFormat): string | undefined {
  const naming = namingProblem(variables, format);
  if (naming) return naming;
  if (isAtEdge(text)) return 'A variable cannot stand at the start or at the end.';
  const tooMany = wordsOf(text) < wordsPerVariable * new Set(variables).size;
  return tooMany ? 'There are too many variables for so few words.' : undefined;
}

/** What is wrong with the text of a body and its examples; `most` characters where that is less than usual. */
export function bodyErrors(body: Part<'BODY'>, format: ParameterFormat, most = 1024): FieldErrors | undefined {
  if (body.text === undefined) return { text: ['This field is required.'] };
  if ([...body.text].length > most) return { text: [`Ensure this field has no more than ${most} characters.`] };
  const variables = variablesOf(body.text);
  const problem = bodyTextProblem(body.text, variables, format);
  if (problem) return { text: [problem] };
  return format === 'NAMED'
    ? namedExampleErrors('body_text_named_params', variables, body.example?.body_text_named_params)
    : exampleErrors('body_text', variables, body.example?.body_text?.[0]);
}

export function headerTextErrors(
  header: Extract<Part<'HEADER'>, { format: 'TEXT' }>,
  format: ParameterFormat,
): FieldErrors | undefined {
  const variables = variablesOf(header.text);
  const problem = variables.length > 1 ? 'A header has at most one variable.' : namingProblem(variables, format);
  if (problem) return { text: [problem] };
  return format === 'NAMED'
    ? namedExampleErrors('header_text_named_params', variables, header.example?.header_text_named_params)
    : exampleErrors('header_text', variables, header.example?.header_text);
}

function exampleErrors(field: string, variables: string[], examples: string[] = []): FieldErrors | undefined {
  if (examples.length === new Set(variables).size) return undefined;
  return { example: { [field]: ['Give one example for each variable.'] } };
}

function namedExampleErrors(
  field: string,
  variables: string[],
  examples: { param_name: string }[] = [],
): FieldErrors | undefined {
  const given = new Set(examples.map(({ param_name }) => param_name));
  const isComplete = given.size === examples.length && given.symmetricDifference(new Set(variables)).size === 0;
  return isComplete ? undefined : { example: { [field]: ['Give one example for each variable, by its name.'] } };
}
