import type { SentComponent } from '../templates/fit.ts';
import { part } from '../templates/parts.ts';
import type { Message } from '../world.ts';

/** What a tap on a message makes the person's phone send. */
export interface Tap {
  type: 'interactive' | 'button';
  content: Record<string, unknown>;
}

interface Choice {
  /** The words and ids by which it can be named. */
  names: (string | undefined)[];
  tap: Tap;
}

/** The answer that a press on a button or row of this message produces; named by its id, title or payload. */
export function tapOn(message: Message, name: string): Tap {
  const choices = message.template ? templateChoices(message) : interactiveChoices(message);
  const found = choices.find(({ names }) => names.includes(name));
  if (!found) {
    const known = choices.map(({ names }) => names.join('/')).join(', ');
    throw new Error(`Message ${message.id} has no button "${name}"; it has: ${known || 'none'}.`);
  }
  return found.tap;
}

interface InteractiveContent {
  type: string;
  action: {
    buttons?: { reply: { id: string; title: string } }[];
    sections?: { rows: { id: string; title: string; description?: string }[] }[];
  };
}

function interactiveChoices({ payload }: Message): Choice[] {
  const action = (payload['interactive'] as InteractiveContent | undefined)?.action;
  const buttons = (action?.buttons ?? []).map(({ reply }) => choice('button_reply', reply));
  const rows = (action?.sections ?? []).flatMap((section) =>
    (section.rows ?? []).map((row) => choice('list_reply', row)),
  );
  return [...buttons, ...rows];
}

const choice = (type: string, reply: { id: string; title: string; description?: string }): Choice => ({
  names: [reply.id, reply.title],
  tap: { type: 'interactive', content: { type, [type]: reply } },
});

/** Quick replies: the payload that was sent with the message, else the label. */
function templateChoices({ template, payload }: Message): Choice[] {
  const sent = (payload['template'] as { components?: SentComponent[] }).components ?? [];
  const buttons = part(template!.components, 'BUTTONS')?.buttons ?? [];
  return buttons.flatMap(({ type, text = '' }, index) => {
    if (type.toUpperCase() !== 'QUICK_REPLY') return [];
    const given = sent.find(({ type, index: at }) => type.toLowerCase() === 'button' && Number(at) === index);
    const value = given?.parameters?.[0]?.payload ?? text;
    return [{ names: [text, value], tap: { type: 'button' as const, content: { payload: value, text } } }];
  });
}
