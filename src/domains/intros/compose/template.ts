import type { IntroFields } from '../schemas.ts';
import { checked, type Filled, type Problem } from './checked.ts';
import { type Filler, link, makeFiller, oneLine, optionalUpTo, type Plan, upTo } from './fill.ts';

type Component = IntroFields['notify_chatapp_template_components'][number];

interface StoredTemplate {
  name: string;
  components: Component[];
  /** The body's texts, for a template without a body component. */
  params: string[];
}

const file = { url: link };
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

/** A template message as stored with an intro, filled in. */
export function composeTemplate(
  { name, components, params }: StoredTemplate,
  variables: Readonly<Record<string, string>>,
  flowToken: string,
): Filled | Problem {
  const filler = makeFiller(variables);
  const filled = withBody(components, params).map((component) => fillComponent(component, filler, flowToken));
  return checked({ type: 'TEMPLATE', template: { template_name: name, components: filled } }, filler, '');
}

function withBody(components: Component[], params: string[]): object[] {
  if (params.length === 0 || components.some(({ type }) => type === 'body')) return components;
  return [...components, { type: 'body', parameters: params.map((text) => ({ type: 'text', text })) }];
}

function fillComponent(component: object, filler: Filler, flowToken: string): object {
  const { type, cards } = component as { type: string; cards?: { components: object[] }[] };
  if (cards) {
    const fillAll = (components: object[]) => components.map((each) => fillComponent(each, filler, flowToken));
    return { ...component, cards: cards.map((card) => ({ ...card, components: fillAll(card.components) })) };
  }
  const plan = type === 'header' ? header : type === 'button' ? button : body;
  const filled = filler.fill(component, plan) as object;
  return isFlowButton(component) ? withToken(filled, flowToken) : filled;
}

/** A flow answers under the token it was sent with: without the session's own, nobody would know whose answers they are. */
function withToken(button: { parameters?: { action?: { flow_token?: string } }[] }, flowToken: string): object {
  const [parameter] = button.parameters ?? [];
  const action = { ...parameter?.action, flow_token: parameter?.action?.flow_token || flowToken };
  return { ...button, parameters: [{ type: 'action', action }] };
}

const isFlowButton = (component: object): boolean => {
  const { type, sub_type } = component as { type?: string; sub_type?: string };
  return type === 'button' && sub_type === 'flow';
};

/** Whether these components ask the person to fill in a flow. */
export const flowButton = (components: readonly object[]): boolean => components.some(isFlowButton);
