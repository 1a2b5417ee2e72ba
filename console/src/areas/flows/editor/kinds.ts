import type { FlowPart } from '../../../parts/flows/flow-definition.ts';

/** What can be put on a screen by hand; whatever else a definition has stays as it is, and is edited as JSON. */
export const kinds = {
  TextHeading: { label: 'Heading', isField: false },
  TextBody: { label: 'Text', isField: false },
  TextInput: { label: 'Input', isField: true },
  TextArea: { label: 'Long input', isField: true },
  Dropdown: { label: 'Dropdown', isField: true },
  RadioButtonsGroup: { label: 'Radio buttons', isField: true },
  CheckboxGroup: { label: 'Checkboxes', isField: true },
  DatePicker: { label: 'Date', isField: true },
  OptIn: { label: 'Opt-in', isField: true },
  Footer: { label: 'Footer button', isField: false },
} as const;

export type KindName = keyof typeof kinds;

export const isKind = (type: string): type is KindName => type in kinds;
export const isFieldPart = (part: FlowPart): part is FlowPart & { name: string } =>
  isKind(part.type) && kinds[part.type].isField && typeof part.name === 'string';
export const hasOptions = (type: string): boolean => ['Dropdown', 'RadioButtonsGroup', 'CheckboxGroup'].includes(type);

const options = [
  { id: 'yes', title: 'Yes' },
  { id: 'no', title: 'No' },
];

/** A new part, ready to be seen. */
export function newPart(type: KindName, name: string): FlowPart {
  switch (type) {
    case 'TextHeading':
      return { type, text: 'Heading' };
    case 'TextBody':
      return { type, text: 'Text' };
    case 'Footer':
      return { type, label: 'Continue', 'on-click-action': { name: 'complete', payload: {} } };
    case 'OptIn':
      return { type, name, label: 'I agree', required: true };
    case 'TextInput':
      return { type, name, label: 'Question', 'input-type': 'text', required: true };
    default:
      return { type, name, label: 'Question', required: true, ...(hasOptions(type) && { 'data-source': options }) };
  }
}

/** The platform's limits of what people read. */
export const longest: Partial<Record<KindName, number>> = {
  TextHeading: 80,
  TextBody: 4096,
  TextInput: 20,
  TextArea: 20,
  Dropdown: 20,
  RadioButtonsGroup: 30,
  CheckboxGroup: 30,
  DatePicker: 40,
  OptIn: 120,
  Footer: 35,
};
