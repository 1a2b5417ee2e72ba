import type { SessionRow } from './queries.ts';

/** The person of a session as a lead of its intro. */
export const leadOf = (session: SessionRow) => ({
  chatapp_account: session.chatapp_account,
  chatapp_number: session.intro.chatapp_number,
  phone_number: session.aparty_number,
  digits: session.aparty_digits,
  name: session.aparty_name,
  source: session.intro.reference_id ?? 'chat_intro',
  chat_intro: session.chat_intro,
  data: { session: session.uuid, ...session.variables.given },
  answers: session.variables.answers,
});
