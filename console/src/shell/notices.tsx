import { useQueryClient } from '@tanstack/react-query';
import { call, oneOf } from '../api/index.ts';
import { type LiveEvent, useLive } from '../live/index.ts';

const kinds = ['message.received', 'sms.received', 'call.ended'];

/** Many events come in a row. */
const freshMs = 60_000;

/**
 * Tells whoever chose so in their profile, by a notification of the browser, what came while they look at something else. It shows no
 * content: others may see the screen. What they chose is asked for when there is something to tell: most never do.
 */
export function Notices() {
  const client = useQueryClient();
  const tell = async (event: LiveEvent): Promise<void> => {
    const me = await client.fetchQuery({ ...oneOf('/v2/users/me/'), staleTime: freshMs }).catch(() => null);
    const chosen = me?.notifications;
    if (event.kind !== 'call.ended') {
      if (chosen?.messages) show(event, event.kind === 'sms.received' ? 'New SMS' : 'New message');
    } else if (chosen?.missed_calls && event.data['result'] !== 'ANSWERED') {
      await showMissed(event);
    }
  };
  useLive(kinds, (event) => {
    if (document.hidden && 'Notification' in window && Notification.permission === 'granted') void tell(event);
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
