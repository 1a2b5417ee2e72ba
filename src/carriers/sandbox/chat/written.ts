import type { InboundType } from '../../ports/inbox.ts';

/** What a person writes on their phone, in the API's shapes. */
export interface Written {
  type: InboundType;
  content: Record<string, unknown>;
  /** The message it answers or reacts to. */
  quotes?: string;
}

/** Something that a person can tap, and what the tap answers with. */
export interface Choice {
  kind: 'button_reply' | 'list_reply';
  id: string;
  title: string;
  description?: string;
}

export const text = (body: string): Written => ({ type: 'TEXT', content: { text: { body } } });

export const tap = ({ kind, ...choice }: Choice): Written => ({
  type: 'INTERACTIVE',
  content: { interactive: { type: kind, [kind]: choice } },
});

export function filledFlow({ token, answers }: { token: string; answers: object }): Written {
  const nfm_reply = { name: 'flow', body: 'Sent', flow_token: token, answers };
  return { type: 'INTERACTIVE', content: { interactive: { type: 'nfm_reply', nfm_reply } } };
}

export const media = (type: InboundType, media: object): Written => ({ type, content: { media } });

export const location = (location: object): Written => ({ type: 'LOCATION', content: { location } });

export const reaction = (emoji: string, to: string): Written => ({
  type: 'REACTION',
  content: { reaction: { message_uuid: to, emoji } },
  quotes: to,
});

export const quoting = (written: Written, message: { uuid: string } | undefined): Written =>
  message ? { ...written, quotes: message.uuid } : written;
