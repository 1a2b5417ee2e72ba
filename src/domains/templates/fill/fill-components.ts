import type { FieldErrors } from '../../../platform/errors.ts';
import { type Filler, link, oneLine, optionalUpTo, type Plan, upTo } from '../../../platform/text/fill.ts';
import { variablesOf } from '../definition/variables.ts';

const file = { url: link, link };
/** The parameters of a component; what differs is what a `text` is. */
const planWith = (text: Plan): Plan => ({
  parameters: [
    {
      text,
      currency: { fallback_value: text },
      date_time: { fallback_value: text },
      image: file,
      video: file,
      document: { ...file, filename: optionalUpTo(240) },
      location: { name: upTo(1000), address: upTo(1000) },
    },
  ] as const,
});
const body = planWith(oneLine(1024));
const header = planWith(oneLine(60));
/** The end of an address: escaped as one, and never cut. */
const button = planWith((text) => link(text) || '-');

/** The components of a template message as they are stored, with their placeholders filled as the platform wants them. */
export const fillComponents = (components: readonly object[], filler: Filler): object[] =>
  components.map((component) => fillComponent(component, filler));

function fillComponent(component: object, filler: Filler): object {
  const { type, cards } = component as { type: string; cards?: { components: object[] }[] };
  if (cards) {
    return {
      ...component,
      cards: cards.map((card) => ({ ...card, components: fillComponents(card.components, filler) })),
    };
  }
  const plan = type === 'header' ? header : type === 'button' ? button : body;
  return filler.fill(component, plan) as object;
}

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
