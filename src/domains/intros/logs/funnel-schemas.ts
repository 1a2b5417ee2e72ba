import { Type } from 'typebox';
import { nullable } from '../../../platform/http/validation/index.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Seconds = (description: string) => nullable(Type.Number({ minimum: 0, description }));

const steps = {
  clicks: Count("How often people opened the intro's link."),
  unique_clicks: Count('The same, each visitor of a day counted once for each intro.'),
  matched: Count('Sessions: people whose message was matched to an intro, or who were brought in by a start call.'),
  replied: Count('Sessions that were replied to.'),
  delivered: Count('Sessions whose reply arrived.'),
  read: Count('Sessions whose reply was read.'),
  notified: Count('Sessions of which the B party was notified.'),
  notify_failed: Count('Sessions in which a notification failed, whether or not another one left after it.'),
  bparty_contacted: Count('Sessions whose B party opened the link to the A party.'),
  aparty_connected: Count('Sessions whose A party opened the link to the B party.'),
  expired: Count('Sessions that ended without contact after seven quiet days.'),
  median_seconds: Type.Object(
    {
      start_to_reply: Seconds('From the start to the reply.'),
      reply_to_read: Seconds('From the reply to its being read.'),
      start_to_notify: Seconds('From the start to the notification of the B party.'),
      notify_to_contact: Seconds("From that notification to the B party's contact."),
    },
    { description: 'Of those who took both steps; null when nobody did.' },
  ),
};

export const IntroFunnel = Type.Object(steps, { title: 'IntroFunnel' });

const IntroFunnelGroup = Type.Object(
  {
    group: nullable(Type.String({ description: 'The value of the key, null: intros without it; or the intro.' })),
    ...steps,
  },
  { title: 'IntroFunnelGroup' },
);

export const IntroFunnelReport = Type.Object(
  {
    ...steps,
    groups: Type.Array(IntroFunnelGroup, {
      description: 'At most 1,000, those with the most sessions first; empty without `group_by` and `chat_intros`.',
    }),
    more_groups: Type.Boolean({ description: 'Whether there are groups beyond those shown. All are in the totals.' }),
  },
  { title: 'IntroFunnelReport', description: 'The totals over all intros, and the groups.' },
);
