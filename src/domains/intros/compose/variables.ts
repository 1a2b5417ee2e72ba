import type { InboundMessage } from '../../../carriers/ports/inbox.ts';
import { isUserId } from '../../../platform/phone.ts';
import { cut } from '../../../platform/text/fit.ts';
import { flowAnswerOf } from '../../messages/index.ts';
import type { IntroSnapshot } from '../fields.ts';
import { looseName } from './filter.ts';

type Variables = Record<string, string>;

/** What is known of a session beside its intro. */
export interface SessionVariables {
  /** Flow answers and button choices. */
  answers: Variables;
  /** What the API call that started the session gave. */
  given: Variables;
  /** What the person's message told. */
  told: Variables;
  bpartyShortcode: string;
  apartyShortcode: string | null;
}

const mostAnswers = 200;
const longestName = 255;
const longestValue = 4096;

/**
 * What placeholders are filled with. Values that are made here, such as links, win over all others of the same name. Of two other
 * values for one name, the one nearer to the person wins; winners come first.
 */
export function sessionVariables(session: SessionVariables, intro: IntroSnapshot, origin: string): Variables {
  const filled = Object.entries(intro.extra_variable_data).filter(([, value]) => value !== '');
  const byPrecedence = [
    ...Object.entries(generated(session, intro, origin)),
    ...ofThePerson(session.answers),
    ...Object.entries(session.given),
    ...filled,
    ...ofThePerson(session.told),
  ];
  const variables = new Map<string, string>();
  for (const [name, value] of byPrecedence) if (!variables.has(name)) variables.set(name, value);
  // fromEntries, because it defines a variable named __proto__ like any other.
  return Object.fromEntries(variables);
}

/** The names of the values that are made here, whether or not this session has them. */
const reserved = new Set(
  [
    'reference_id',
    'chat_link',
    'intro_chat_shortcode',
    'intro_chat_link',
    'intro_chat_link_aparty_shortcode',
    'intro_chat_link_aparty',
  ].map(looseName),
);

/** Drops values from the person under such a name, or under one that a filter would take for it. */
const ofThePerson = (said: Variables): [string, string][] =>
  Object.entries(said).filter(([name]) => !reserved.has(looseName(name)));

function generated(session: SessionVariables, intro: IntroSnapshot, origin: string): Variables {
  const { bpartyShortcode, apartyShortcode } = session;
  const link = (shortcode: string) => `${origin}/l/${shortcode}`;
  return {
    ...(intro.reference_id !== null && { reference_id: intro.reference_id }),
    chat_link: link(intro.shortcode),
    intro_chat_shortcode: bpartyShortcode,
    intro_chat_link: link(bpartyShortcode),
    ...(apartyShortcode !== null && {
      intro_chat_link_aparty_shortcode: apartyShortcode,
      intro_chat_link_aparty: link(apartyShortcode),
    }),
  };
}

/** What a message tells of the person who wrote it. A platform's id for somebody who hides their number is no number. */
export function tellingOf({ name, from: { number } }: Pick<InboundMessage, 'name' | 'from'>): Variables {
  const called = cut(name.trim(), longestName);
  return {
    ...(called !== '' && { APartyDataContactName: called }),
    ...(number !== null && !isUserId(number) && { APartyDataContactPhonenumber: number }),
  };
}

/** What an inbound message answers: the fields of a flow, a tapped button, a chosen row; nothing for any other message. */
export function answersOf(messageData: object): Variables {
  const { interactive } = messageData as { interactive?: { button_reply?: Choice; list_reply?: Choice } };
  if (interactive?.button_reply) return choiceOf('button', interactive.button_reply);
  if (interactive?.list_reply) return choiceOf('list', interactive.list_reply);
  const answers = Object.entries(flowAnswerOf(messageData)?.answers ?? {});
  const given = answers.filter(([name, value]) => value !== null && name !== '' && name.length <= longestName);
  return Object.fromEntries(given.slice(0, mostAnswers).map(([name, value]) => [name, bounded(textOf(value))]));
}

interface Choice {
  id?: string;
  title?: string;
}

const choiceOf = (kind: 'button' | 'list', { id = '', title = '' }: Choice): Variables => ({
  [`${kind}_id`]: bounded(id),
  [`${kind}_title`]: bounded(title),
});

const bounded = (text: string): string => cut(text, longestValue);

/** An answer as a person would write it down. */
function textOf(value: unknown): string {
  const parts = Array.isArray(value) ? value.filter((part) => part !== null) : [value];
  return parts.map((part) => (typeof part === 'object' ? JSON.stringify(part) : String(part))).join(', ');
}
