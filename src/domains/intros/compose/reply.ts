import { type Filler, link, makeFiller, optionalUpTo, upTo } from '../../../platform/text/fill.ts';
import type { IntroSnapshot } from '../sessions/snapshot.ts';
import { checked, type Filled, type Problem } from './checked.ts';
import { filterHolds } from './filter.ts';
import { fillInteractive } from './interactive.ts';

export interface Composed extends Filled {
  /** Whether it is `reply_alt` that speaks. */
  alternative: boolean;
}

const interactiveTypes = new Set(['INTERACTIVE', 'LIST', 'CTA', 'FLOW', 'QUICK_REPLY']);

/** The first thing that A hears; undefined when the intro has nothing to say. */
export function composeReply(
  intro: IntroSnapshot,
  variables: Readonly<Record<string, string>>,
  flowToken: string,
): Composed | Problem | undefined {
  const filler = makeFiller(variables);
  const alternative = alternativeOf(intro, variables);
  const content = alternative
    ? { type: 'INTERACTIVE', interactive: fillInteractive(...alternative, filler, flowToken) }
    : plainReply(intro, filler, flowToken);
  if (!content) return undefined;
  const reply = checked(content, filler, 'reply: ');
  return 'problem' in reply ? reply : { ...reply, alternative: alternative !== undefined };
}

function alternativeOf({ reply_alt }: IntroSnapshot, variables: Readonly<Record<string, string>>) {
  if (!('type' in reply_alt)) return undefined;
  const components = reply_alt.chatapp_components ?? reply_alt.whatsapp_components;
  return components && filterHolds(reply_alt.filter ?? {}, variables)
    ? ([components, reply_alt.type] as const)
    : undefined;
}

/** An image without an address, and an interactive reply left empty, leave it to the text to speak. */
function plainReply(intro: IntroSnapshot, filler: Filler, flowToken: string) {
  const { reply_type, reply_data, reply_message_file_url: url, reply_message_template: text } = intro;
  if (interactiveTypes.has(reply_type) && Object.keys(reply_data).length > 0) {
    return { type: 'INTERACTIVE', interactive: fillInteractive(reply_data, reply_type, filler, flowToken) };
  }
  if (reply_type === 'IMAGE' && url !== null) {
    const media = filler.fill({ url, caption: text }, { url: link, caption: optionalUpTo(1024) });
    return { type: 'IMAGE', media };
  }
  const body = filler.fill(text, upTo(4096));
  return body === '' ? undefined : { type: 'TEXT', text: { body } };
}
