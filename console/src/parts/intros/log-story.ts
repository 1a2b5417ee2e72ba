import {
  type Icon,
  IconAlertTriangle,
  IconBell,
  IconBellRinging,
  IconBellX,
  IconClick,
  IconClockOff,
  IconForms,
  IconMessageReply,
  IconMessages,
  IconPencil,
  IconPlayerPlay,
  IconPlugConnected,
  IconRepeat,
  IconSparkles,
  IconSquareX,
  IconTrash,
} from '@tabler/icons-react';
import type { Row } from '../../api/types.ts';

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
  BUTTON: 'A button of another intro was tapped that starts this one.',
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

const actions: Record<string, string> = {
  NOTIFY: 'The button tells the agent now.',
  START: 'The button starts another intro.',
  END: 'The button ends the session.',
};
const closings: Record<string, string> = {
  API: 'Somebody closed it, in the console or by a call of the API.',
  APARTY: 'The lead tapped a button that ends it.',
  BPARTY: 'The agent tapped a button that ends it.',
};

/** What a notification is to whoever gets it, and why they get it, by its `reason`. */
const notices: Record<string, (who: string, to: string) => { text: string; cause?: string }> = {
  START: (who, to) => ({ text: `${who} was notified ${to}.` }),
  NEXT: (who, to) => ({
    text: `Next in the chain: ${who.charAt(0).toLowerCase()}${who.slice(1)} was notified ${to}.`,
    cause: 'The notification before this one failed, or nobody reacted to it.',
  }),
  REMINDER: (who, to) => ({ text: `${who} was reminded ${to}.`, cause: 'There was no reaction to the notification.' }),
  AGAIN: (who, to) => ({
    text: `${who} was notified again ${to}.`,
    cause: 'The lead asked again, or a button was tapped that tells the agent.',
  }),
  ANSWERS: (who, to) => ({ text: `${who} was sent the answers ${to}.`, cause: 'They came after the notification.' }),
};

/** The agent of the intro, or one of those with the skill that the chain asks for. */
function sayNotified(data: Log['data']) {
  const who = data['agent'] === undefined ? 'The agent' : 'An agent with the skill';
  const to = `at ${String(data['bparty_number'] ?? 'their number')}${data['sms'] === undefined ? '' : ' by SMS'}`;
  return (notices[String(data['reason'])] ?? notices['START']!)(who, to);
}

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
        text: `The lead got the ${data['alternative'] === true ? 'other ' : ''}reply${data['again'] === true ? ' again' : ''}.`,
        icon: IconMessageReply,
        ...because(data['alternative'] === true && 'The conditions of the alternative held.', left),
      };
    case 'chat_intro.repeated':
      return {
        text: 'The lead asked again.',
        icon: IconRepeat,
        cause:
          data['heeded'] === true
            ? 'They are replied to and the agent is told again.'
            : 'Nothing is sent: it came within ten minutes of the start, or within an hour of the last time.',
      };
    case 'chat_intro.answered':
      return {
        text: data['by'] === 'BPARTY' ? 'The agent tapped a button.' : 'The lead answered.',
        icon: IconForms,
        ...because(actions[String(data['action'])]),
      };
    case 'chat_intro.notified': {
      const { text, cause } = sayNotified(data);
      return { text, icon: data['reason'] === 'REMINDER' ? IconBellRinging : IconBell, ...because(cause, left) };
    }
    case 'chat_intro.notify_failed':
      return {
        text: `The notification to ${String(data['bparty_number'] || 'the agent')} failed.`,
        icon: IconBellX,
        color: 'red',
        ...because(String(data['description'] ?? '')),
      };
    case 'chat_intro.reacted':
      return {
        text: 'The agent reacted.',
        icon: IconMessages,
        color: 'green',
        cause: 'Whoever was notified wrote or tapped a button: nobody else is notified.',
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
    case 'chat_intro.closed':
      return {
        text: 'The session was closed.',
        icon: IconSquareX,
        color: 'gray',
        ...because(closings[String(data['by'])]),
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
