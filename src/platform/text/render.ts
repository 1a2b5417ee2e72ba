/** A filled text, and the names of the placeholders that had no value. */
export interface Rendered {
  text: string;
  missing: string[];
}

/**
 * Fills `{{Name}}` placeholders; spaces inside the braces do not count, and a name without a value renders as nothing.
 * The template is read once, from left to right, and values are copied, never read: a value that holds `{{x}}` stays as it is.
 * A name ends at the next brace of either kind, which is what keeps the cost linear for any input (a megabyte of `{{`).
 * Values multiply: once the text is longer than `most`, nothing more is copied, and only names are still looked at.
 */
export function render(
  template: string,
  variables: Readonly<Record<string, string>>,
  most = Number.POSITIVE_INFINITY,
): Rendered {
  const missing = new Set<string>();
  let text = '';
  let copied = 0;
  let open = template.indexOf('{{');
  while (open >= 0) {
    const close = nextBrace(template, open + 2);
    const name = template.startsWith('}}', close) ? template.slice(open + 2, close).trim() : '';
    if (name === '') {
      // Braces around nothing, or never closed, are ordinary text.
      open = template.indexOf('{{', open + 1);
      continue;
    }
    const value = Object.hasOwn(variables, name) ? variables[name]! : undefined;
    if (value === undefined) missing.add(name);
    if (text.length <= most) text += template.slice(copied, open) + (value ?? '');
    copied = close + 2;
    open = template.indexOf('{{', copied);
  }
  if (text.length <= most) text += template.slice(copied);
  return { text, missing: [...missing] };
}

function nextBrace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '{' && text[at] !== '}') at++;
  return at;
}
