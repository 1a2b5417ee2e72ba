import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { Schema } from '../../api/index.ts';
import { type Step, stepOf } from '../../parts/index.ts';
import { type Log, sayLog } from '../../parts/intros/log-story.ts';

const areas: Record<string, string> = {
  message: '/messages',
  sms: '/sms',
  call: '/calls',
  chat_intro: '/intros',
  template: '/templates',
  flow: '/flows',
  campaign: '/campaigns',
  job: '/jobs',
  contact: '/contacts',
};

/** Of many alike the newest, with how many there were: a campaign would fill the page otherwise. */
export function sayLatest(events: Schema<'TimelineEvent'>[], most: number): Step[] {
  const groups = [...Map.groupBy(events, ({ kind }) => kind).values()].slice(0, most);
  return groups.flatMap(([newest, ...others]) => {
    if (!newest) return [];
    const step = sayEvent(newest);
    return others.length > 0 ? [{ ...step, text: `${step.text as string} ${timesOf(others.length)}` }] : [step];
  });
}

const timesOf = (others: number): string => `(and ${others} more like it)`;

/** An event of the account in words, with a link to what it is about. */
function sayEvent(event: Schema<'TimelineEvent'>): Step {
  const { data: _, text: words, ...plain } = stepOf(event);
  const area = areas[event.subject_type];
  const description = event.data['status_description'] ?? event.data['description'];
  const link = area && !event.kind.endsWith('.deleted') && (
    <Anchor component={Link} href={`${area}/${event.subject}`} size="xs">
      Open the {event.subject_type.replace('chat_', '').replace('sms', 'SMS')}
    </Anchor>
  );
  const about = {
    ...plain,
    text: words,
    cause: (
      <>
        {typeof description === 'string' && description !== '' && <>{description} </>}
        {link}
      </>
    ),
  };
  if (!event.kind.startsWith('chat_intro.')) return about;
  const { text, icon, color } = sayLog({ event: event.kind as Log['event'], data: event.data });
  return { ...about, text, icon, ...(color && { color }) };
}
