import type { View } from './phone.ts';

interface Parameter {
  type: string;
  text?: string;
  currency?: { fallback_value: string };
  date_time?: { fallback_value: string };
  payload?: string;
  coupon_code?: string;
  limited_time_offer?: { expiration_time_ms: number };
  [kind: string]: unknown;
}

interface Component {
  type: string;
  sub_type?: string;
  index?: number;
  parameters?: Parameter[];
  cards?: { card_index: number; components: Component[] }[];
}

interface Template {
  template_name: string;
  components: Component[];
}

/** A template is known by its name alone: the phone shows that, and what fills it. */
export function presentTemplate({ template_name, components }: Template): Partial<View> {
  const { text, ...parts } = presentParts(components);
  const ends = only('limited_time_offer', components)?.parameters?.[0]?.limited_time_offer?.expiration_time_ms;
  const cards = only('carousel', components)?.cards ?? [];
  return {
    ...parts,
    text: text === '' ? template_name : `${template_name}\n${text}`,
    offer_ends: ends === undefined ? null : timestamp(ends),
    cards: cards
      .toSorted((one, other) => one.card_index - other.card_index)
      .map((card) => presentParts(card.components)),
  };
}

/** What a template and each card of a carousel have: a header, a text, buttons. */
const presentParts = (components: Component[]) => ({
  header: only('header', components)?.parameters?.[0] ?? null,
  text: (only('body', components)?.parameters ?? []).map(wordsOf).join('\n'),
  buttons: components
    .filter(({ type }) => type === 'button')
    .toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0))
    .map(presentButton),
});

const only = (type: string, components: Component[]) => components.find((component) => component.type === type);

const wordsOf = ({ text, currency, date_time }: Parameter): string =>
  text ?? currency?.fallback_value ?? date_time?.fallback_value ?? '';

function presentButton({ sub_type = '', index = 0, parameters = [] }: Component) {
  const { text, payload, coupon_code } = parameters[0] ?? { type: '' };
  return { type: sub_type, title: `Button ${index + 1}`, id: '', value: text ?? payload ?? coupon_code ?? '' };
}

const timestamp = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');
