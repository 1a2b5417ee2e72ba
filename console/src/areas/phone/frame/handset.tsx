import { useEffect } from 'react';
import { useAct } from '../../../api/index.ts';
import { notifications } from '../../../api/notifications.ts';
import { CallScreen } from '../calls/call-screen.tsx';
import { useLegs } from '../calls/use-legs.ts';
import { ThreadList } from '../chat/chat-list.tsx';
import { ChatView } from '../chat/chat-view.tsx';
import { LinkSheet } from '../chat/link-sheet.tsx';
import { NewChat, NewSms } from '../chat/new-thread.tsx';
import { useHold } from '../chat/use-hold.ts';
import { PhoneContext, type PhoneHere } from '../phone-context.ts';
import { SmsThread } from '../sms-thread.tsx';
import type { Leg } from '../types.ts';
import { type HandsetOptions, useHandset } from '../use-handset.ts';
import classes from './handset.module.css';
import { PhoneApp } from './phone-app.tsx';
import { StatusBar } from './status-bar.tsx';
import { TabBar } from './tab-bar.tsx';

export interface HandsetNews {
  unread: number;
  ringing: boolean;
}

interface HandsetProps extends HandsetOptions {
  label: string;
  /** Tells what happens on it, for whoever looks at the other one. */
  onNews(news: HandsetNews): void;
}

/** A phone: status bar, apps, and calls over everything. */
export function Handset({ label, onNews, ...options }: HandsetProps) {
  const { person, visible } = options;
  const { here, page, closePage } = useHandset(options);
  useHold(person.number);
  const { legs, live } = useLegs(person.number);
  const dialled = useAct('post', '/v2/sandbox/calls/', {
    invalidates: ['/v2/sandbox/calls/'],
    // One that is refused at once never rings.
    onDone: ({ status, to, description }) => {
      if (status === 'ENDED') notifications.show({ title: `Nobody answers at ${to}`, message: description });
    },
  });
  const dial = (to: string) => dialled.mutate({ body: { from: person.number, to } });
  const unread = here.threads.reduce((sum, thread) => sum + thread.unread, 0);
  const ringing = live?.state === 'RINGING';
  // biome-ignore lint/correctness/useExhaustiveDependencies: onNews is another one each time
  useEffect(() => onNews({ unread, ringing }), [unread, ringing]);
  const shared: PhoneHere = { ...here, dial };
  return (
    <PhoneContext value={shared}>
      <section className={classes['frame']} aria-label={label} hidden={!visible}>
        <div className={classes['glass']}>
          <StatusBar overCall={live !== undefined} />
          <div className={classes['app']} inert={live !== undefined}>
            <App here={shared} legs={legs} />
            {page && <LinkSheet page={page} onClose={closePage} />}
          </div>
          {live && <CallScreen key={live.uuid} leg={live} />}
        </div>
      </section>
    </PhoneContext>
  );
}

function App({ here: { screen }, legs }: { here: PhoneHere; legs: Leg[] }) {
  switch (screen.app) {
    case 'chat':
      return <ChatView key={screen.number} number={screen.number} />;
    case 'sms-thread':
      return <SmsThread key={screen.number} number={screen.number} />;
    case 'new-chat':
      return <NewChat />;
    case 'new-sms':
      return <NewSms />;
    case 'phone':
      return (
        <>
          <PhoneApp legs={legs} />
          <TabBar />
        </>
      );
    default:
      return (
        <>
          <ThreadList key={screen.app} kind={screen.app === 'chats' ? 'chat' : 'sms'} />
          <TabBar />
        </>
      );
  }
}
