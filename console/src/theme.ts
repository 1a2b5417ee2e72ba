import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, Tabs } from '@mantine/core';
import type { MouseEvent } from 'react';
import edges from './parts/page/edges.module.css';
import classes from './theme.module.css';

/**
 * A dialog that a menu opens gives the focus back to where it was. The item is gone by then, so the focus goes to the button of the
 * menu before the item acts.
 */
function backToButton({ currentTarget }: MouseEvent<HTMLElement>): void {
  const button = currentTarget.closest('[role=menu]')?.getAttribute('aria-labelledby');
  if (button) document.getElementById(button)?.focus({ preventScroll: true });
}

/** Deep teal; shade 7 carries white text at 6 to 1. */
const brand: MantineColorsTuple = [
  '#e9f7f4',
  '#d3ece7',
  '#a6d9cf',
  '#76c5b6',
  '#4fb4a1',
  '#2f9f8c',
  '#178375',
  '#0b6b5f',
  '#07574d',
  '#04423b',
];

/** Greys with a breath of the brand, so that dark is not blue beside teal. */
const dark: MantineColorsTuple = [
  '#d5dcda',
  '#b3bdba',
  '#8f9b98',
  '#5d6a67',
  '#3b4745',
  '#2b3634',
  '#212a29',
  '#182020',
  '#121818',
  '#0c1111',
];

const system = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 7 },
  colors: { brand, dark },
  fontFamily: system,
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontFamily: system, fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    MenuItem: { defaultProps: { onClickCapture: backToButton } },
    Modal: { defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // Inside a dialog it is no banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    Card: { defaultProps: { withBorder: true } },
    Table: { defaultProps: { verticalSpacing: 'sm' } },
    Tabs: Tabs.extend({ classNames: { list: `${edges['edges']} ${classes['tabs']}` } }),
  },
});

/** Text on its own pale ground, for badges and alerts; Mantine's are too faint to read easily. */
const inkOnPale: Record<string, string> = {
  brand: '#07574d',
  gray: '#454f54',
  red: '#a82020',
  pink: '#9c1c48',
  grape: '#7c2a90',
  violet: '#5a39ba',
  indigo: '#344bbd',
  blue: '#155c9e',
  cyan: '#0a5a66',
  teal: '#066649',
  green: '#1b652c',
  lime: '#446200',
  yellow: '#744700',
  orange: '#933800',
};

/** What Mantine leaves under the contrast that WCAG AA asks for. */
export const cssVariables: CSSVariablesResolver = (given) => ({
  variables: { '--parley-header': '3.5rem' },
  light: {
    '--mantine-color-dimmed': '#56625f',
    '--mantine-color-placeholder': '#65716e',
    '--mantine-color-error': '#b42318',
    '--mantine-color-body': '#ffffff',
    '--parley-ground': '#f6f8f7',
    '--parley-line': 'var(--mantine-color-gray-3)',
    ...Object.fromEntries(Object.entries(inkOnPale).map(([name, ink]) => [`--mantine-color-${name}-light-color`, ink])),
  },
  dark: {
    '--mantine-color-dimmed': '#a4b0ac',
    '--mantine-color-placeholder': '#93a09c',
    '--mantine-color-error': '#ff8f85',
    '--parley-ground': '#121818',
    '--parley-line': 'var(--mantine-color-dark-4)',
    ...Object.fromEntries(
      Object.keys(inkOnPale).map((name) => [`--mantine-color-${name}-light-color`, given.colors[name]![2]]),
    ),
  },
});
