import { fillText, namesIn } from '../writing/index.ts';
import type { Intro } from './form.ts';

type Named = Pick<Intro, 'reference_id' | 'expected_message_template' | 'extra_variable_data' | 'chat_link'>;

/**
 * What an intro is called; it has no name of its own. What its expected message tells apart is in the variables: the name of a
 * house, not the sentence around it.
 */
export function nameOf({
  reference_id,
  expected_message_template: expected,
  extra_variable_data,
  chat_link,
}: Named): string {
  const told = namesIn([expected]).flatMap((name) => extra_variable_data[name] || []);
  const whole = fillText(expected, { ...(reference_id && { reference_id }) }).trim();
  return (told.join(', ') || whole).slice(0, 120) || reference_id || codeOf(chat_link);
}

export const codeOf = (chatLink: string): string => chatLink.split('/').at(-1) ?? '';
