/** Changes of a flow's definition: each takes one and returns another. */
import { type FlowAction, type FlowPart, type FlowScreen, screensOf } from '../../../parts/flows/flow-definition.ts';
import { isFieldPart, type KindName, newPart } from './kinds.ts';

export type Definition = Record<string, unknown>;

const version = '7.3';

/** One screen with a button. */
export const blankDefinition = (): Definition => rewired({ version, screens: [newScreen('SCREEN_A', 'Screen')] });

const newScreen = (id: string, title: string): FlowScreen => ({
  id,
  title,
  layout: { type: 'SingleColumnLayout', children: [newPart('Footer', '')] } as FlowScreen['layout'],
});

/** The parts of a screen, out of the form that they may stand in. */
export function partsOf(screen: FlowScreen): FlowPart[] {
  const children = screen.layout?.children ?? [];
  const form = children.find(({ type }) => type === 'Form');
  return form ? (form.children ?? []) : children;
}

function withParts(screen: FlowScreen, parts: FlowPart[]): FlowScreen {
  const children = screen.layout?.children ?? [];
  const inForm = children.some(({ type }) => type === 'Form');
  const next = inForm ? children.map((part) => (part.type === 'Form' ? { ...part, children: parts } : part)) : parts;
  return {
    ...screen,
    layout: { type: 'SingleColumnLayout', ...screen.layout, children: next } as FlowScreen['layout'],
  };
}

const withScreens = (definition: Definition, screens: FlowScreen[]): Definition =>
  rewired({ version, ...definition, screens });

export const addScreen = (definition: Definition): Definition => {
  const screens = screensOf(definition);
  const added = newScreen(freeId(screens), `Screen ${screens.length + 1}`);
  const last = screens.at(-1);
  const before = last ? [...screens.slice(0, -1), pointedTo(last, added.id)] : [];
  return withScreens(definition, [...before, added]);
};

/** Buttons that led to it lead to the one behind it, or finish the flow. */
export function removeScreen(definition: Definition, id: string): Definition {
  const screens = screensOf(definition);
  const at = screens.findIndex((screen) => screen.id === id);
  const next = screens[at + 1]?.id;
  const rest = screens.filter((screen) => screen.id !== id);
  return withScreens(
    definition,
    rest.map((screen) => (targetOf(screen) === id ? pointedTo(screen, next) : screen)),
  );
}

export const moveScreen = (definition: Definition, at: number, by: 1 | -1): Definition =>
  withScreens(definition, moved(screensOf(definition), at, by));

export const renameScreen = (definition: Definition, id: string, title: string): Definition =>
  changeScreen(definition, id, (screen) => ({ ...screen, title }));

export const addPart = (definition: Definition, id: string, type: KindName): Definition =>
  changeScreen(definition, id, (screen) => {
    const parts = partsOf(screen);
    const part = newPart(type, freeName(definition));
    // The button stays at the end.
    const end = parts.at(-1)?.type === 'Footer' ? parts.length - 1 : parts.length;
    return withParts(screen, parts.toSpliced(end, 0, part));
  });

export const changePart = (definition: Definition, id: string, at: number, change: Partial<FlowPart>): Definition =>
  changeScreen(definition, id, (screen) =>
    withParts(
      screen,
      partsOf(screen).map((part, place) => (place === at ? cleaned({ ...part, ...change }) : part)),
    ),
  );

export const removePart = (definition: Definition, id: string, at: number): Definition =>
  changeScreen(definition, id, (screen) => withParts(screen, partsOf(screen).toSpliced(at, 1)));

export const movePart = (definition: Definition, id: string, at: number, by: 1 | -1): Definition =>
  changeScreen(definition, id, (screen) => withParts(screen, moved(partsOf(screen), at, by)));

const changeScreen = (definition: Definition, id: string, change: (screen: FlowScreen) => FlowScreen): Definition =>
  withScreens(
    definition,
    screensOf(definition).map((screen) => (screen.id === id ? change(screen) : screen)),
  );

/** Where the button of a screen leads; undefined: it finishes the flow, or does what only the JSON says. */
export const targetOf = (screen: FlowScreen): string | undefined =>
  actionOf(partsOf(screen).find(({ type }) => type === 'Footer'))?.next?.name;

export const actionOf = (footer: FlowPart | undefined): FlowAction | undefined =>
  footer?.['on-click-action'] as FlowAction | undefined;

/** A button that goes to a screen, or finishes. */
export const actionTo = (screen: string | undefined): FlowAction =>
  screen === undefined
    ? { name: 'complete', payload: {} }
    : ({ name: 'navigate', next: { type: 'screen', name: screen }, payload: {} } as FlowAction);

const pointedTo = (screen: FlowScreen, target: string | undefined): FlowScreen =>
  withParts(
    screen,
    partsOf(screen).map((part) => (part.type === 'Footer' ? { ...part, 'on-click-action': actionTo(target) } : part)),
  );

/** Every button that finishes hands over what was answered on all screens, and its screen is an end. */
function rewired(definition: Definition): Definition {
  const screens = screensOf(definition);
  return {
    ...definition,
    screens: screens.map((screen) => {
      const parts = partsOf(screen);
      const isEnd = parts.some((part) => part.type === 'Footer' && actionOf(part)?.name === 'complete');
      const { terminal: _terminal, ...rest } = screen;
      const next = withParts(
        rest,
        parts.map((part) => {
          const action = actionOf(part);
          if (part.type !== 'Footer' || action?.name !== 'complete') return part;
          const payload = { ...kept(action.payload ?? {}), ...answersFor(screens, screen.id) };
          return { ...part, 'on-click-action': { ...action, payload } };
        }),
      );
      return isEnd ? { ...next, terminal: true } : next;
    }),
  };
}

const reference = /^\$\{(form|screen)\./;
/** What somebody wrote into it by hand. */
const kept = (payload: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(payload).filter(([, value]) => !reference.test(String(value))));

const answersFor = (screens: FlowScreen[], here: string): Record<string, string> =>
  Object.fromEntries(
    screens.flatMap((screen) =>
      partsOf(screen)
        .filter(isFieldPart)
        .map(({ name }) => [name, screen.id === here ? `\${form.${name}}` : `\${screen.${screen.id}.form.${name}}`]),
    ),
  );

/** What was emptied is left out. */
const cleaned = (part: FlowPart): FlowPart =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as FlowPart;

function moved<T>(list: readonly T[], at: number, by: 1 | -1): T[] {
  const one = list[at];
  return one === undefined || at + by < 0 ? [...list] : list.toSpliced(at, 1).toSpliced(at + by, 0, one);
}

/** The platform takes letters and underscores. */
function freeId(screens: FlowScreen[]): string {
  const taken = new Set(screens.map(({ id }) => id));
  for (let at = 0; ; at++) {
    const letters =
      at < 26
        ? String.fromCharCode(65 + at)
        : `${String.fromCharCode(65 + (at % 26))}_${'X'.repeat(Math.floor(at / 26))}`;
    if (!taken.has(`SCREEN_${letters}`)) return `SCREEN_${letters}`;
  }
}

function freeName(definition: Definition): string {
  const taken = new Set(screensOf(definition).flatMap((screen) => partsOf(screen).map(({ name }) => name)));
  for (let at = 1; ; at++) if (!taken.has(`answer_${at}`)) return `answer_${at}`;
}

/** Options as lines of text, and back; an option that keeps its words keeps its id. */
export const linesOf = (part: FlowPart): string =>
  Array.isArray(part['data-source'])
    ? (part['data-source'] as { title?: string }[]).map(({ title }) => title ?? '').join('\n')
    : '';

export function optionsFrom(lines: string, before: unknown): { id: string; title: string }[] {
  const known = new Map(
    (Array.isArray(before) ? (before as { id: string; title: string }[]) : []).map((option) => [option.title, option]),
  );
  const taken = new Set<string>();
  return lines.split('\n').map((title, at) => {
    const id =
      known.get(title)?.id ??
      (title
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '_')
        .replaceAll(/^_|_$/g, '') ||
        `option_${at + 1}`);
    const own = taken.has(id) ? `${id}_${at + 1}` : id;
    taken.add(own);
    return { ...known.get(title), id: own, title };
  });
}
