import {
  type Icon,
  IconAlertTriangle,
  IconBell,
  IconClick,
  IconClockOff,
  IconForms,
  IconMessageReply,
  IconPencil,
  IconPlayerPlay,
  IconPlugConnected,
  IconSparkles,
  IconTrash,
} from '@tabler/icons-react';
import type { Row } from '../../api/index.ts';

export type Log = Row<'/v2/chatapp/chat-intro-logs/'>;

interface Said {
  text: string;
  icon: Icon;
  color?: string;
  /** Why it happened, in a sentence. */
  cause?: string;
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const starts: Record<string, string> = {
  EXPECTED_TEXT: 'The lead sent the expected message.',
  REFERENCE: 'The message had the reference of this intro in it.',
  SHORTCODE: "The message had the code of this intro's link in it.",
  API: 'A start call of the API introduced the lead, who had not written.',
};
const links: Record<string, string> = {
  INTRO: 'Somebody opened the link of the intro.',
  BPARTY: 'The agent opened the link to the lead.',
  APARTY: 'The lead opened the link to the agent.',
};
const steps: Record<string, string> = {
  reply: 'The lead could not be replied to.',
  notify: 'The agent could not be notified.',
  aparty_notify: 'The template could not be sent to the lead.',
};

/** What an entry of the log says, in a sentence. */
export function sayLog({ event, data }: Pick<Log, 'event' | 'data'>): Said {
  const missing = texts(data['missing']);
  const left = missing.length > 0 ? `Left empty, as there was no value: ${missing.join(', ')}.` : undefined;
  const because = (...reasons: (string | undefined | false)[]) => {
    const cause = reasons.filter(Boolean).join(' ');
    return cause ? { cause } : {};
  };
  switch (event) {
    case 'chat_intro.created':
      return { text: 'The intro was created.', icon: IconSparkles };
    case 'chat_intro.updated':
      return { text: `The intro was changed: ${texts(data['fields']).join(', ') || 'nothing'}.`, icon: IconPencil };
    case 'chat_intro.deleted':
      return { text: 'The intro was deleted.', icon: IconTrash, color: 'red' };
    case 'chat_intro.clicked':
      return { text: links[String(data['link'])] ?? 'Somebody opened a link.', icon: IconClick, color: 'gray' };
    case 'chat_intro.started':
      return {
        text: 'The session started.',
        icon: IconPlayerPlay,
        ...because(starts[String(data['how'])], data['tied'] === true && 'Other intros fitted as well.'),
      };
    case 'chat_intro.replied':
      return {
        text: data['alternative'] === true ? 'The lead got the other reply.' : 'The lead got the reply.',
        icon: IconMessageReply,
        ...because(data['alternative'] === true && 'The conditions of the alternative held.', left),
      };
    case 'chat_intro.answered':
      return { text: 'The lead answered.', icon: IconForms };
    case 'chat_intro.notified':
      return {
        text: `The agent was notified at ${String(data['bparty_number'] ?? 'their number')}.`,
        icon: IconBell,
        ...because(left),
      };
    case 'chat_intro.aparty_notified':
      return { text: 'The lead was sent the template.', icon: IconBell, ...because(left) };
    case 'chat_intro.connected':
      return data['by'] === 'APARTY'
        ? {
            text: 'The lead connected with the agent.',
            icon: IconPlugConnected,
            color: 'green',
            cause: 'The lead opened the direct link.',
          }
        : {
            text: 'The agent connected with the lead.',
            icon: IconPlugConnected,
            color: 'green',
            cause: 'The agent opened the link to the lead.',
          };
    case 'chat_intro.expired':
      return {
        text: 'The session expired.',
        icon: IconClockOff,
        color: 'gray',
        cause: 'Nothing happened for seven days.',
      };
    case 'chat_intro.problem':
      return {
        text: steps[String(data['step'])] ?? 'A step could not be taken.',
        icon: IconAlertTriangle,
        color: 'red',
        ...because(String(data['description'] ?? '')),
      };
  }
}
