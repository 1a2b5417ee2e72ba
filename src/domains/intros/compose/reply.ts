import { type Filler, idOrNone, link, makeFiller, optionalUpTo, type Plan, upTo } from '../../../platform/text/fill.ts';
import type { IntroSnapshot } from '../fields.ts';
import type { ReplyType } from '../reply-schemas.ts';
import { checked, type Filled, type Problem } from './content.ts';
import { filterMatches } from './filter.ts';

export interface Composed extends Filled {
  /** Whether it was made from `reply_alt`. */
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
  return components && filterMatches(reply_alt.filter ?? {}, variables)
    ? ([components, reply_alt.type] as const)
    : undefined;
}

/** Falls back to the text if an image has no address, or an interactive reply is empty. */
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

type Fields = Record<string, unknown>;

const kinds: Partial<Record<ReplyType, string>> = {
  LIST: 'list',
  CTA: 'cta_url',
  FLOW: 'flow',
  QUICK_REPLY: 'button',
};

const file = { url: link, link };
const button = { title: upTo(20), id: idOrNone };

const planOf = (kind: string): Plan => ({
  header: {
    text: optionalUpTo(60),
    image: file,
    video: file,
    document: { ...file, filename: optionalUpTo(240) },
  },
  body: { text: upTo(kind === 'list' ? 4096 : 1024) },
  footer: { text: optionalUpTo(60) },
  action: {
    button: upTo(20),
    buttons: [{ ...button, reply: button }],
    sections: [
      { title: optionalUpTo(24), rows: [{ title: upTo(24), id: idOrNone, description: optionalUpTo(72) }] },
    ] as const,
    parameters: { display_text: upTo(20), url: link, flow_cta: upTo(30) },
  },
});

/**
 * A stored interactive object as it is sent: with its type, its placeholders filled, and a flow under the session's token. Only the
 * fields of its type are taken: a stored object may have others, which nobody has checked.
 */
export function fillInteractive(stored: object, replyType: ReplyType, filler: Filler, flowToken: string): Fields {
  const type = kindOf(stored, replyType);
  const { header, body, footer, action } = filler.fill(stored, planOf(type)) as Fields;
  if (type === 'location_request_message') return { type, body, action };
  return {
    type,
    ...(hasText(header) && { header }),
    body,
    ...(hasText(footer) && { footer }),
    action: type === 'flow' ? withToken(action as Fields, flowToken) : withIds(action as Action),
  };
}

/** The type, as the check of the intro finds it: a quick reply unless something says otherwise. */
function kindOf(stored: object, replyType: ReplyType): string {
  const { type, action } = stored as { type?: string; action: { name?: string; sections?: unknown } };
  const kind = type ?? kinds[replyType];
  if (kind !== undefined) return kind;
  if (action.sections !== undefined) return 'list';
  if (action.name === 'cta_url' || action.name === 'flow') return action.name;
  return action.name === 'send_location' ? 'location_request_message' : 'button';
}

/** Whether something is left of a header of text, or of a footer, after filling. */
const hasText = (part: unknown): boolean => {
  const { type = 'text', text } = (part ?? {}) as { type?: string; text?: string };
  return type !== 'text' || text !== undefined;
};

function withToken(action: Fields, flowToken: string): Fields {
  const parameters = action['parameters'] as Fields;
  return { ...action, parameters: { ...parameters, flow_token: parameters['flow_token'] || flowToken } };
}

interface Reply {
  id?: string;
  reply?: Reply;
}

interface Action {
  buttons?: Reply[];
  sections?: { rows: Reply[] }[];
}

/** Buttons and rows that the author gave no id are known by their place, the same in every session. */
function withIds(action: Action): Action {
  const { buttons, sections } = action;
  const given = new Set([...(buttons ?? []), ...(sections ?? []).flatMap(({ rows }) => rows)].map(idOf));
  let place = 0;
  const named = <R extends Reply>(reply: R, kind: 'button' | 'row'): R => {
    place += 1;
    if (idOf(reply) !== undefined) return reply;
    let id = `${kind}-${place}`;
    while (given.has(id)) id += '-';
    return reply.reply ? { ...reply, reply: { ...reply.reply, id } } : { ...reply, id };
  };
  return {
    ...action,
    ...(buttons && { buttons: buttons.map((button) => named(button, 'button')) }),
    ...(sections && {
      sections: sections.map((section) => ({ ...section, rows: section.rows.map((row) => named(row, 'row')) })),
    }),
  };
}

const idOf = ({ id, reply }: Reply): string | undefined => reply?.id ?? id;
