import type { Schema } from '../../api/index.ts';

type GoLive = Schema<'GoLive'>;
type Channel = 'chatapp' | 'sms' | 'voice';

/** One thing to do on the way to real carriers. */
export interface Task {
  title: string;
  text: string;
  done: boolean;
  /** The page that does it. */
  href: string;
}

export interface Stage {
  title: string;
  done: boolean;
  tasks: Task[];
}

const connecting: Record<Channel, Omit<Task, 'done'>> = {
  chatapp: {
    title: 'WhatsApp sender',
    text: 'Your number on the WhatsApp Business Cloud API.',
    href: '/settings/chat-accounts/new',
  },
  sms: { title: 'SMS link', text: 'A connection to your SMS centre over SMPP.', href: '/settings/sms-links/new' },
  voice: { title: 'SIP trunk', text: 'The trunk that brings and takes your calls.', href: '/settings/sip-trunks/new' },
};
const verifying: Record<Channel, Omit<Task, 'done'>> = {
  chatapp: {
    title: 'WhatsApp reaches this server',
    text: 'Done when a message came by the sender’s webhook, with a valid signature. Write to your number.',
    href: '/settings/chat-accounts',
  },
  sms: { title: 'The SMS link is up', text: 'Its address and password are right.', href: '/settings/sms-links' },
  voice: { title: 'The SIP trunk is up', text: 'Its address and password are right.', href: '/settings/sip-trunks' },
};
const testing: Record<Channel, Omit<Task, 'done'>> = {
  chatapp: { title: 'Chat message', text: 'Send one to your own phone.', href: '/messages/new' },
  sms: { title: 'SMS', text: 'Send one to your own phone.', href: '/sms' },
  voice: { title: 'Call', text: 'Call your own phone and answer it.', href: '/calls' },
};

/**
 * The way from the sandbox to real carriers, in order. After the first stage only channels that are connected count; whoever may not
 * open a page is not sent there.
 */
export function stagesOf(state: GoLive, maySee: (address: string) => boolean): Stage[] {
  const channels: Channel[] = ['chatapp', 'sms', 'voice'];
  const connected = channels.filter((channel) => state[channel].connected);
  const number: Task = {
    title: 'A number of your own',
    text: 'Imported into the pool and bought. SMS and calls come from it.',
    href: '/numbers/buy',
    done: state.number,
  };
  const webhook: Task = {
    title: 'Your webhook accepts events',
    text: 'Optional. Create one and send it a test event.',
    href: '/webhooks',
    done: state.webhook.verified,
  };
  const needsNumber = state.sms.connected || state.voice.connected;
  const isTested = connected.some((channel) => state[channel].tested);
  const stages: Stage[] = [
    {
      title: 'Connect',
      done: connected.length > 0,
      tasks: channels.map((channel) => ({ ...connecting[channel], done: state[channel].connected })),
    },
    {
      title: 'Verify',
      done: connected.length > 0 && connected.every((channel) => state[channel].verified),
      tasks: [
        ...connected.map((channel) => ({ ...verifying[channel], done: state[channel].verified })),
        ...(needsNumber ? [number] : []),
        webhook,
      ],
    },
    {
      title: 'Test',
      done: isTested,
      tasks: connected.map((channel) => ({ ...testing[channel], done: state[channel].tested })),
    },
    {
      title: 'Go live',
      done: state.live,
      tasks: [
        {
          title: 'Leave the sandbox',
          text: 'Senders that nobody registered are refused, so a typo is an error.',
          href: '/settings/sandbox',
          done: state.sandbox !== 'adopt',
        },
      ],
    },
  ];
  return stages
    .map((stage) => ({ ...stage, tasks: stage.tasks.filter(({ href }) => maySee(href)) }))
    .filter(({ tasks }) => tasks.length > 0);
}
