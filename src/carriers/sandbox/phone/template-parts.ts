/** What fills a template, as a message has it. */

export interface Parameter {
  type: string;
  parameter_name?: string;
  text?: string;
  currency?: { fallback_value: string };
  date_time?: { fallback_value: string };
  payload?: string;
  coupon_code?: string;
  limited_time_offer?: { expiration_time_ms: number };
  [kind: string]: unknown;
}

export interface Component {
  type: string;
  sub_type?: string;
  index?: number;
  parameters?: Parameter[];
  cards?: { card_index: number; components: Component[] }[];
}

export const only = (type: string, components: Component[]) => components.find((component) => component.type === type);

export const wordsOf = ({ text, currency, date_time }: Parameter): string =>
  text ?? currency?.fallback_value ?? date_time?.fallback_value ?? '';
