import { headerWithAddress } from './files.ts';
import type { View } from './phone.ts';
import { type DefinedPart, presentDefined } from './template-defined.ts';
import { type Component, only, wordsOf } from './template-parts.ts';

interface Template {
  template_name: string;
  components?: Component[];
}

/** A template as it was made; the platform's own shapes. */
export type Definition = DefinedPart[];

/** A template whose definition nobody gave is known by its name alone: the phone shows that, and what fills it. */
export function presentTemplate(
  { template_name, components = [] }: Template,
  definition: Definition | null,
): Partial<View> {
  const { text, ...parts } = definition ? presentDefined(definition, components) : presentParts(components);
  const ends = only('limited_time_offer', components)?.parameters?.[0]?.limited_time_offer?.expiration_time_ms;
  const named = text === '' ? template_name : `${template_name}\n${text}`;
  return {
    ...parts,
    text: definition ? text : named,
    offer_ends: ends === undefined ? null : timestamp(ends),
    cards: cardsOf(components, definition),
  };
}

function cardsOf(components: Component[], definition: Definition | null): View['cards'] {
  const defined = definition?.find(({ type }) => type === 'CAROUSEL')?.cards;
  return (only('carousel', components)?.cards ?? [])
    .toSorted((one, other) => one.card_index - other.card_index)
    .map(({ card_index, components }) => {
      const parts = defined?.[card_index]?.components;
      if (!parts) return presentParts(components);
      const { footer: _, ...card } = presentDefined(parts, components);
      return card;
    });
}

/** What a template and each card of a carousel have: a header, a text, buttons. */
const presentParts = (components: Component[]) => ({
  header: headerWithAddress(only('header', components)?.parameters?.[0]),
  text: (only('body', components)?.parameters ?? []).map(wordsOf).join('\n'),
  buttons: components
    .filter(({ type }) => type === 'button')
    .toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0))
    .map(presentButton),
});

function presentButton({ sub_type = '', index = 0, parameters = [] }: Component) {
  const { text, payload, coupon_code } = parameters[0] ?? { type: '' };
  return { type: sub_type, title: `Button ${index + 1}`, id: '', value: text ?? payload ?? coupon_code ?? '' };
}

const timestamp = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');
