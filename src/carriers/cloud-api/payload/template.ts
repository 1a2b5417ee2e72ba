import type { OutboundMessage } from '../../ports/chat.ts';
import { assetOf, type FileRef } from './asset.ts';
import { withoutEmpty } from './checks.ts';

type Known = OutboundMessage['carrierIds'];
type Fields = Record<string, unknown>;

interface Parameter {
  type: string;
  [value: string]: unknown;
}

interface Component {
  type: string;
  sub_type?: string;
  index?: number;
  parameters?: Parameter[];
  cards?: { card_index: number; components: Component[] }[];
}

export interface TemplateContent {
  template_name: string;
  language_code: string;
  components: Component[];
}

/** `template` of a message. The platform's language has no fallback: it is the variant that was approved, or an error. */
export function templateOf({ template_name, language_code, components }: TemplateContent, known: Known): Fields {
  const filled = componentsOf(components, known);
  return {
    name: template_name,
    language: { code: language_code },
    ...(filled.length > 0 && { components: filled }),
  };
}

/** A component without parameters fills nothing, and is left out. */
const componentsOf = (components: Component[], known: Known): Fields[] =>
  components
    .filter(({ parameters = [], cards = [] }) => parameters.length + cards.length > 0)
    .map((component) => componentOf(component, known));

function componentOf({ type, sub_type, index, parameters = [], cards }: Component, known: Known): Fields {
  if (cards)
    return { type, cards: cards.map((card) => ({ ...card, components: componentsOf(card.components, known) })) };
  return {
    type,
    ...(sub_type !== undefined && { sub_type, index: String(index) }),
    parameters: parameters.map((parameter) => parameterOf(parameter, known)),
  };
}

function parameterOf(parameter: Parameter, known: Known): Fields {
  const { type } = parameter;
  switch (type) {
    case 'image':
    case 'video':
    case 'document':
      return { type, [type]: assetOf(type, parameter[type] as FileRef, known) };
    case 'location':
      return { type, location: withoutEmpty(parameter.location) };
    case 'action':
      return { type, action: flowActionOf(parameter.action as Fields) };
    default:
      return parameter;
  }
}

/** Without a token the platform says `unused`. */
const flowActionOf = ({ flow_token, ...action }: Fields): Fields => ({
  ...(flow_token ? { flow_token } : {}),
  ...action,
});
