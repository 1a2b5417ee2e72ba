import { makeFiller } from '../../../platform/text/fill.ts';
import { fillComponents } from '../../templates/index.ts';
import type { IntroFields } from '../schemas.ts';
import { checked, type Filled, type Problem } from './checked.ts';

type Component = IntroFields['notify_chatapp_template_components'][number];

interface StoredTemplate {
  name: string;
  components: Component[];
  /** The body's texts, for a template without a body component. */
  params: string[];
}

/** A template message as stored with an intro, filled in. */
export function composeTemplate(
  { name, components, params }: StoredTemplate,
  variables: Readonly<Record<string, string>>,
  flowToken: string,
): Filled | Problem {
  const filler = makeFiller(variables);
  const filled = fillComponents(withBody(components, params), filler).map((component) =>
    isFlowButton(component) ? withToken(component, flowToken) : component,
  );
  return checked({ type: 'TEMPLATE', template: { template_name: name, components: filled } }, filler, '');
}

function withBody(components: Component[], params: string[]): object[] {
  if (params.length === 0 || components.some(({ type }) => type === 'body')) return components;
  return [...components, { type: 'body', parameters: params.map((text) => ({ type: 'text', text })) }];
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
