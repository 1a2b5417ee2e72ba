/** A button of an approved template. */
export interface TemplateButton {
  type: string;
  text?: string;
  url?: string;
  phone_number?: string;
  flow_id?: string;
  otp_type?: string;
  example?: unknown;
  [key: string]: unknown;
}

/** A component of a template as it is created and read back. */
export interface TemplateComponent {
  type: string;
  format?: string;
  text?: string;
  buttons?: TemplateButton[];
  cards?: { components: TemplateComponent[] }[];
  example?: Record<string, unknown>;
  [key: string]: unknown;
}

/** The component of that type, if the template has one. */
export const part = (components: readonly TemplateComponent[], type: string): TemplateComponent | undefined =>
  components.find((component) => component.type.toUpperCase() === type);

/** The variables of a text in order of appearance: `1`, `2` or names. */
export const variablesOf = (text: string | undefined): string[] =>
  [...(text ?? '').matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map((match) => match[1]!);

/** The text with its variables filled in. */
export const hydrate = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (whole, name: string) => values.get(name) ?? whole);

/** A one-time-password template: its body and button are the platform's, the client gives the code alone. */
export const isAuthentication = (category: string): boolean => category.toUpperCase() === 'AUTHENTICATION';
