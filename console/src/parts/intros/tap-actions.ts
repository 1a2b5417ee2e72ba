import type { Schema } from '../../api/types.ts';

type Stored = Record<string, Schema<'ButtonAction'>>;

/** What a tap does beside being kept as an answer. */
export interface TapAction {
  id: string;
  action: Schema<'ButtonAction'>['action'];
  chat_intro: string;
}

export const tapActionsOf = (stored: Stored): TapAction[] =>
  Object.entries(stored).map(([id, { action, chat_intro = '' }]) => ({ id, action, chat_intro }));

export const tapBodyOf = (actions: TapAction[]): Stored =>
  Object.fromEntries(
    actions
      .filter(({ id }) => id !== '')
      .map(({ id, action, chat_intro }) => [
        id,
        { action, ...(action === 'START' && chat_intro !== '' && { chat_intro }) },
      ]),
  );
