/** What a check found: `advice` says what to do about it. */
export interface Finding {
  check: string;
  level: 'ok' | 'warning' | 'problem';
  text: string;
  advice?: string;
}

export const ok = (check: string, text: string): Finding => ({ check, level: 'ok', text });
export const warning = (check: string, text: string, advice: string): Finding => ({
  check,
  level: 'warning',
  text,
  advice,
});
export const problem = (check: string, text: string, advice: string): Finding => ({
  check,
  level: 'problem',
  text,
  advice,
});
