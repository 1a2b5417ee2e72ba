import { type InteractiveForm, isBlank } from '../writing/interactive-form.ts';
import type { TemplateForm } from '../writing/template-form.ts';
import { type IntroForm, isInteractive } from './form.ts';

/** Something to tap: a button or a row, with the id by which it is known. */
export interface Tap {
  id: string;
  title: string;
}

/** The buttons and rows of a reply. Those without an id get one by their place, as the API gives it. */
export function tapsIn({ type, action }: InteractiveForm): Tap[] {
  const kind = type === 'list' ? 'row' : 'button';
  const replies =
    type === 'button' ? action.buttons : type === 'list' ? action.sections.flatMap(({ rows }) => rows) : [];
  const given = new Set(replies.map(({ id }) => id));
  return replies.map(({ id, title }, index) => {
    let own = id || `${kind}-${index + 1}`;
    while (!id && given.has(own)) own += '-';
    return { id: own, title };
  });
}

/** Buttons of a template answer with their payload. */
const tapsOfTemplate = ({ name, buttons }: TemplateForm): Tap[] =>
  buttons
    .filter(({ sub_type, text }) => sub_type === 'quick_reply' && text !== '')
    .map(({ index, text }) => ({ id: text, title: `Button ${index + 1} of ${name}` }));

/** Everything in an intro that can be tapped; what has the same id does the same. */
export function tapsOf(form: IntroForm): Tap[] {
  const all = [
    ...(isInteractive(form.reply_type) && !isBlank(form.reply_data) ? tapsIn(form.reply_data) : []),
    ...(form.alternative ? tapsIn(form.reply_alt.chatapp_components) : []),
    ...(form.notified && form.notify_type === 'CHATAPP' ? tapsOfTemplate(form.notify) : []),
    ...tapsOfTemplate(form.aparty_notify),
  ];
  const byId = Map.groupBy(all, ({ id }) => id);
  return [...byId].map(([id, taps]) => ({ id, title: [...new Set(taps.map(({ title }) => title))].join(' / ') }));
}
