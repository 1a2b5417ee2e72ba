import { type TProperties, Type } from 'typebox';
import { FreeForm, Uuid } from '../../platform/http/openapi/models.ts';
import { nullable } from '../../platform/http/validation/index.ts';
import type { EventData } from '../webhooks/index.ts';

/** What every event tells of its intro. */
const intro = {
  chat_intro: Uuid('The chat intro.'),
  chatapp_number: Type.String({ description: 'The chat-app account that the intro belongs to.' }),
  reference_id: nullable(Type.String({ description: 'Your own id of the intro.' })),
  meta_data: FreeForm({ description: 'What you stored with the intro.' }),
};

/** And of the session that it happened in. */
const session = {
  session: Uuid('The session: one person meeting one intro.'),
  aparty_number: Type.String({ description: 'The person, the A party.' }),
  digits: Type.String({ description: 'The same number, digits alone.' }),
};

const data = (title: string, more: TProperties = {}) => Type.Object({ ...intro, ...more }, { title });
const step = (title: string, more: TProperties = {}) => data(title, { ...session, ...more });

const party = Type.Enum(['APARTY', 'BPARTY'], { description: 'APARTY: the person. BPARTY: whoever was notified.' });
const description = Type.String({ description: 'What went wrong, in words.' });
const message = Uuid('The message.');
const missing = Type.Array(Type.String(), { description: 'Variables of the text that had no value.' });
const status = (...names: string[]) => Type.Enum(names, { description: 'The new status of the session.' });
/** Only where the session moves on. */
const newStatus = (name: string) =>
  Type.Optional({ ...status(name), description: 'The new status of the session; left out: it is as it was.' });

export const introEvents = {
  'chat_intro.created': data('ChatIntroCreated', { shortcode: Type.String({ description: 'Of its link: `/l/…`.' }) }),
  'chat_intro.updated': data('ChatIntroUpdated', {
    fields: Type.Array(Type.String(), { description: 'The fields that changed.' }),
  }),
  'chat_intro.deleted': data('ChatIntroDeleted'),
  'chat_intro.clicked': Type.Object(
    {
      ...Type.Partial(Type.Object(intro)).properties,
      chat_intro: intro.chat_intro,
      link: Type.Enum(['INTRO', 'APARTY', 'BPARTY'], {
        description: 'INTRO: the link of the intro. APARTY, BPARTY: that of one side of a session.',
      }),
      session: nullable(Uuid('null: the link of the intro itself.')),
      visitor: Type.String({ description: 'The same for all clicks of one visitor on one day; tells nothing else.' }),
    },
    { title: 'ChatIntroClicked', description: 'An intro that was deleted meanwhile is told by its uuid alone.' },
  ),
  'chat_intro.started': step('ChatIntroStarted', {
    how: Type.Enum(['EXPECTED_TEXT', 'REFERENCE', 'SHORTCODE', 'API', 'BUTTON'], {
      description: 'How the intro was recognised.',
    }),
    tied: Type.Boolean({ description: 'The text fitted other intros too; the one whose link was opened last won.' }),
    message: nullable(Uuid('The message that began it; null: none did.')),
    status: status('STARTED'),
  }),
  'chat_intro.replied': step('ChatIntroReplied', {
    message,
    alternative: Type.Boolean({ description: 'It was the reply of `reply_alt`.' }),
    missing,
    again: Type.Optional(Type.Literal(true, { description: 'The person had named the intro again.' })),
    status: newStatus('REPLIED'),
  }),
  'chat_intro.repeated': step('ChatIntroRepeated', {
    message,
    heeded: Type.Boolean({
      description: 'Whether it was replied to and notified of again; not twice within the hour.',
    }),
  }),
  'chat_intro.answered': step('ChatIntroAnswered', {
    answers: FreeForm({ description: 'The answers of the flow, or the `button_id` or `list_id` that was tapped.' }),
    message,
    by: party,
    action: Type.Optional(Type.Enum(['NOTIFY', 'START', 'END'], { description: 'What the button is for.' })),
    heeded: Type.Optional(Type.Boolean({ description: 'Whether that was done.' })),
  }),
  'chat_intro.notified': step('ChatIntroNotified', {
    bparty_number: Type.String({ description: 'Who was notified.' }),
    message: Type.Optional(Uuid('The notification; left out: it went by SMS.')),
    sms: Type.Optional(Uuid('The notification by SMS.')),
    missing,
    reason: Type.Enum(['START', 'NEXT', 'REMINDER', 'AGAIN', 'ANSWERS'], {
      description:
        'START: the session began. NEXT: the one before did not react. REMINDER: the same again. AGAIN: the person named the intro again. ANSWERS: the person sent answers.',
    }),
    agent: Type.Optional(Uuid('The agent who was notified.')),
    status: newStatus('NOTIFIED'),
  }),
  'chat_intro.notify_failed': step('ChatIntroNotifyFailed', {
    bparty_number: Type.String({ description: 'Who should have been notified.' }),
    description,
    status: newStatus('NOTIFY_FAILED'),
  }),
  'chat_intro.reacted': step('ChatIntroReacted', { message }),
  'chat_intro.aparty_notified': step('ChatIntroApartyNotified', { message, missing }),
  'chat_intro.connected': step('ChatIntroConnected', {
    by: party,
    status: newStatus('CONNECTED'),
  }),
  'chat_intro.expired': step('ChatIntroExpired', { status: status('EXPIRED') }),
  'chat_intro.closed': step('ChatIntroClosed', {
    by: Type.Enum(['APARTY', 'BPARTY', 'API']),
    status: newStatus('CLOSED'),
  }),
  'chat_intro.problem': step('ChatIntroProblem', {
    step: Type.Enum(['reply', 'notify', 'aparty_notify'], { description: 'The step that could not be taken.' }),
    description,
  }),
} satisfies EventData;
