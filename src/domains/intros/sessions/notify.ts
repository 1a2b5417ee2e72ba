import type { Deps } from '../../../deps.ts';
import { originOf } from '../../../platform/config.ts';
import { phoneReader } from '../../accounts/index.ts';
import type { Filled } from '../compose/checked.ts';
import { composeTemplate, flowButton } from '../compose/template.ts';
import { sessionVariables } from '../compose/variables.ts';
import { findLive } from '../queries.ts';
import type { SessionRow } from './queries.ts';
import { type Said, type Saying, sayAll } from './say.ts';
import { furthest } from './states.ts';
import type { Step } from './steps.ts';

/** What a session's placeholders are filled with. */
export const variablesOf = ({ config }: Pick<Deps, 'config'>, session: SessionRow): Record<string, string> =>
  sessionVariables(
    { ...session.variables, bpartyShortcode: session.bparty_shortcode, apartyShortcode: session.aparty_shortcode },
    session.intro,
    originOf(config),
  );

/** Whether A's template waits for B's notification: it does not when it asks for answers, or when B is not notified. */
export const waitsForNotice = ({ intro }: SessionRow): boolean =>
  isNotified(intro) && !flowButton(intro.aparty_notify_chatapp_template_components);

export const isNotified = ({ notify_type, notify_chatapp_template_name }: SessionRow['intro']): boolean =>
  notify_type === 'CHATAPP' && notify_chatapp_template_name !== '';

/** A's template; nothing when the intro has none or it was sent already. */
export function sayToAparty(deps: Deps, session: SessionRow): Saying[] {
  const { intro, aparty_message, aparty_number } = session;
  const name = intro.aparty_notify_chatapp_template_name;
  if (name === '' || aparty_message !== null) return [];
  const stored = { name, components: intro.aparty_notify_chatapp_template_components, params: [] };
  const composed = composeTemplate(stored, variablesOf(deps, session), session.flow_token);
  return [{ session, role: 'aparty_notify', to: aparty_number, composed }];
}

/**
 * Notifies the B of each session, and with it the A who is still waiting. The sessions are held by the caller, who writes
 * them down afterwards. Answers what happened.
 */
export async function notifySessions(deps: Deps, accountId: string, sessions: SessionRow[], at: Date): Promise<Step[]> {
  for (const session of sessions) session.notify_due_at = null;
  const live = await findLive(
    deps.db,
    accountId,
    sessions.map(({ chat_intro }) => chat_intro),
  );
  const read = await phoneReader(deps, accountId);
  const sayings = sessions.flatMap((session) => {
    const isGone = !live.has(session.chat_intro);
    const toB = isGone ? [problemOf(session, 'The intro was deleted.')] : [sayToBparty(deps, session, read)];
    const toA = isGone || session.connected_at !== null ? [] : sayToAparty(deps, session);
    return [...toB, ...toA];
  });
  return (await sayAll(deps, accountId, sayings)).map((said) => noteSaid(said, at));
}

function sayToBparty(deps: Deps, session: SessionRow, read: (number: string) => string): Saying {
  const { intro, flow_token } = session;
  const to = intro.notify_to_phone_number;
  if (to === '') return problemOf(session, 'There is no number to notify.');
  if (read(to) === session.aparty_digits) return problemOf(session, 'The person to notify is the one who wrote.');
  const stored = {
    name: intro.notify_chatapp_template_name,
    components: intro.notify_chatapp_template_components,
    params: intro.notify_chatapp_template_params,
  };
  return { session, role: 'notify', to, composed: composeTemplate(stored, variablesOf(deps, session), flow_token) };
}

const problemOf = (session: SessionRow, problem: string): Saying => ({
  session,
  role: 'notify',
  to: session.intro.notify_to_phone_number,
  composed: { problem },
});

/** Brings the session up to what was said, and answers the step that this is. */
export function noteSaid(said: Said, at: Date): Step {
  const { session, role } = said;
  if ('problem' in said) return { session, kind: 'problem', data: { step: role, description: said.problem } };
  const { message } = said;
  const { missing } = said.composed as Filled;
  if (role === 'aparty_notify') {
    session.aparty_message = message;
    return { session, kind: 'aparty_notified', data: { message, missing } };
  }
  if (role === 'notify') {
    session.notify_message = message;
    session.notified_at = at.toISOString();
    session.status = furthest(session.status, 'NOTIFIED');
    return { session, kind: 'notified', data: { bparty_number: said.to, message, missing, status: 'NOTIFIED' } };
  }
  session.reply_message = message;
  session.replied_at = at.toISOString();
  session.status = furthest(session.status, 'REPLIED');
  const { alternative = false } = said.composed as { alternative?: boolean };
  return { session, kind: 'replied', data: { message, alternative, missing, status: 'REPLIED' } };
}
