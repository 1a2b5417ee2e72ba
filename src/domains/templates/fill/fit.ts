import type { FieldErrors } from '../../../platform/errors.ts';
import { variablesOf } from '../definition/variables.ts';

/** A part of a template as it was approved, as far as it says what a message must give. */
interface DefinedPart {
  type: string;
  format?: string;
  text?: string;
  buttons?: { type: string; url?: string }[];
}

/** A component as a message gives it. */
interface GivenPart {
  type: string;
  sub_type?: string;
  index?: number;
  parameters?: unknown[];
}

/** A part that takes parameters: which component of the message fills it, and with how many. */
interface Slot {
  name: string;
  takes: number;
  isFilledBy(given: GivenPart): boolean;
}

/**
 * What is wrong with the number of parameters of a message, which the platform would refuse later. A template of which only the name
 * is known fits everything.
 */
export function fitErrors(definition: readonly object[], given: readonly object[]): FieldErrors | undefined {
  if (definition.length === 0) return undefined;
  const components = given as readonly GivenPart[];
  for (const { name, takes, isFilledBy } of slotsOf(definition as readonly DefinedPart[])) {
    const place = components.findIndex(isFilledBy);
    const count = components[place]?.parameters?.length ?? 0;
    if (count === takes) continue;
    const sentence = `The ${name} of this template takes ${takes} ${takes === 1 ? 'parameter' : 'parameters'}, not ${count}.`;
    if (place < 0) return { components: [sentence] };
    return {
      components: components.map((_, index): FieldErrors => (index === place ? { parameters: [sentence] } : {})),
    };
  }
  return undefined;
}

function slotsOf(definition: readonly DefinedPart[]): Slot[] {
  const partOf = (type: string) => definition.find((part) => part.type.toUpperCase() === type);
  const header = partOf('HEADER');
  const buttons = partOf('BUTTONS')?.buttons ?? [];
  return [
    { name: 'header', takes: header ? headerTakes(header) : 0, isFilledBy: ({ type }) => type === 'header' },
    { name: 'body', takes: countIn(partOf('BODY')?.text), isFilledBy: ({ type }) => type === 'body' },
    ...buttons.flatMap(({ type, url }, place): Slot[] => {
      if (type.toUpperCase() !== 'URL') return [];
      const isFilledBy = ({ type, sub_type, index }: GivenPart) =>
        type === 'button' && sub_type === 'url' && index === place;
      return [{ name: `button ${place}`, takes: countIn(url), isFilledBy }];
    }),
  ];
}

const headerTakes = ({ format = 'TEXT', text }: DefinedPart): number =>
  format.toUpperCase() === 'TEXT' ? countIn(text) : 1;

const countIn = (text = ''): number => new Set(variablesOf(text)).size;
