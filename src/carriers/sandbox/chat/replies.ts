import { type PhoneRow, presentOnPhone } from '../phone/phone.ts';
import { choicesOf, flowOf } from './offers.ts';
import { filledFlow, quoting, reaction, tap, text, type Written } from './written.ts';

/** What a person answers to a message; undefined when it offers nothing to answer with. */
export type Reply = (message: PhoneRow) => Written | undefined;

export const says =
  (body: string): Reply =>
  () =>
    text(body);

export const echoes: Reply = (message) => {
  const shown = presentOnPhone(message).text;
  return shown === '' ? undefined : text(shown);
};

export const pressesFirst: Reply = (message) => {
  const [first] = choicesOf(message);
  return first && quoting(tap(first), message);
};

/** Confirms what the flow started with; a flow that started with nothing gets a plain yes. */
export const fillsIn: Reply = (message) => {
  const flow = flowOf(message);
  if (!flow) return undefined;
  const answers = Object.keys(flow.data).length > 0 ? flow.data : { answer: 'Yes' };
  return quoting(filledFlow({ token: flow.token, answers }), message);
};

export const reacts =
  (emoji: string): Reply =>
  ({ uuid, type }) =>
    // Nobody reacts to a reaction.
    type === 'REACTION' ? undefined : reaction(emoji, uuid);
