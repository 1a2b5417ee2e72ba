import { call, useOne } from '../api/index.ts';
import { type LiveEvent, useLive } from '../live/index.ts';

const kinds = ['message.received', 'sms.received', 'call.ended'];

/**
 * Tells whoever chose so in their profile, by a notification of the browser, what came while they look at something else. It shows no
 * content: others may see the screen.
 */
export function Notices() {
  const { data } = useOne('/v2/users/me/');
  const chosen = data?.notifications;
  useLive(kinds, (event) => {
    if (!chosen || !document.hidden || !('Notification' in window) || Notification.permission !== 'granted') return;
    if (event.kind !== 'call.ended') {
      if (chosen.messages) show(event, event.kind === 'sms.received' ? 'New SMS' : 'New message');
    } else if (chosen.missed_calls && event.data['result'] !== 'ANSWERED') {
      void showMissed(event);
    }
  });
  return null;
}

/** Of calls that the account made itself nobody missed one; the event does not say whose call it was. */
async function showMissed(event: LiveEvent): Promise<void> {
  const params = { uuid: event.subject };
  const ended = await call('get', '/v2/voice/calls/{uuid}/', { params }).catch(() => null);
  if (ended?.direction === 'INBOUND') show(event, 'Missed call');
}

/** One for each thing: the same event that comes again replaces what is shown. */
const show = ({ subject }: LiveEvent, title: string): void => {
  new Notification(title, { tag: subject });
};
