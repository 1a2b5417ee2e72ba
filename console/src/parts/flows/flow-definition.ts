/** The JSON of flows, as far as a phone needs it to draw a form. */

export interface FlowPart {
  type: string;
  name?: string;
  children?: FlowPart[];
  [property: string]: unknown;
}

export interface FlowScreen {
  id: string;
  title?: string;
  terminal?: boolean;
  data?: Record<string, { __example__?: unknown }>;
  layout?: { children?: FlowPart[] };
}

export interface FlowAction {
  name?: string;
  next?: { name?: string };
  payload?: Record<string, unknown>;
}

export type Values = Record<string, unknown>;

/** What the words in `${…}` stand for. */
export interface Scope {
  data: Values;
  form: Values;
  /** What was filled in on the other screens, by screen. */
  screens: Record<string, Values>;
}

export const screensOf = (definition: unknown): FlowScreen[] => {
  const { screens } = (definition ?? {}) as { screens?: unknown };
  return Array.isArray(screens) ? (screens as FlowScreen[]).filter((screen) => typeof screen?.id === 'string') : [];
};

const whole = /^\$\{([\w.]+)\}$/;
const within = /\$\{([\w.]+)\}/g;

function look(path: string, { data, form, screens }: Scope): unknown {
  const [root, ...rest] = path.split('.');
  const walk = (from: unknown, steps: string[]): unknown =>
    steps.reduce<unknown>((at, step) => (at as Values | null | undefined)?.[step], from);
  if (root === 'data') return walk(data, rest);
  if (root === 'form') return walk(form, rest);
  // `${screen.FIRST.form.name}`
  if (root === 'screen') return walk(screens[rest[0] ?? ''], rest.slice(2));
  return undefined;
}

/** A property with its `${…}` filled in. */
export function resolve(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((one) => resolve(one, scope));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one, scope)]));
  if (typeof value !== 'string') return value;
  const [, path] = whole.exec(value) ?? [];
  if (path) return look(path, scope);
  return value.replaceAll(within, (_, path: string) => String(look(path, scope) ?? ''));
}

export const wordsOf = (value: unknown, scope: Scope): string => {
  const found = resolve(value, scope);
  return Array.isArray(found) ? found.join('\n\n') : String(found ?? '');
};

/** `true` unless the property says otherwise. */
const isOn = (value: unknown, scope: Scope, usual: boolean): boolean => {
  const found = value === undefined ? usual : resolve(value, scope);
  return found !== false && found !== undefined && found !== 'false' && found !== '';
};

/** Of comparisons the two that forms are made with; whatever else is asked holds if there is something. */
function holds(condition: unknown, scope: Scope): boolean {
  const text = String(condition ?? '');
  const [, left, sign, right] = /^\s*\(?(.+?)\s*(==|!=)\s*(.+?)\)?\s*$/.exec(text) ?? [];
  const bare = (side: string) => wordsOf(side, scope).replaceAll(/^['"]|['"]$/g, '');
  if (left && right) return (bare(left) === bare(right)) === (sign === '==');
  return isOn(text, scope, true) && text !== '';
}

/** The parts that are to be seen, out of the boxes they may be in. */
export function visibleParts(parts: FlowPart[] | undefined, scope: Scope): FlowPart[] {
  return (parts ?? []).flatMap((part): FlowPart[] => {
    if (!isOn(part['visible'], scope, true)) return [];
    if (part.type === 'Form') return visibleParts(part.children, scope);
    if (part.type === 'If')
      return visibleParts((holds(part['condition'], scope) ? part['then'] : part['else']) as FlowPart[], scope);
    if (part.type === 'Switch') {
      const cases = (part['cases'] ?? {}) as Record<string, FlowPart[]>;
      return visibleParts(cases[wordsOf(part['value'], scope)] ?? cases['default'], scope);
    }
    return [part];
  });
}

export const isRequired = (part: FlowPart, scope: Scope): boolean => isOn(part['required'], scope, false);
export const isEnabled = (part: FlowPart, scope: Scope): boolean => isOn(part['enabled'], scope, true);

/** What a screen starts with: what it was sent, else the examples that its author gave. */
export const dataOf = (screen: FlowScreen, given: Values): Values => {
  const examples = Object.entries(screen.data ?? {}).flatMap(([name, { __example__ }]) =>
    __example__ === undefined ? [] : [[name, __example__] as const],
  );
  return { ...Object.fromEntries(examples), ...given };
};

/** What fields start with, as the form or they themselves say. */
export function firstValues(parts: FlowPart[] | undefined, scope: Scope): Values {
  const found: Values = {};
  for (const part of parts ?? []) {
    const inits = (resolve(part['init-values'], scope) ?? {}) as Values;
    Object.assign(found, inits, firstValues(part.children, scope));
    if (part.name && part['init-value'] !== undefined) found[part.name] = resolve(part['init-value'], scope);
  }
  return found;
}
