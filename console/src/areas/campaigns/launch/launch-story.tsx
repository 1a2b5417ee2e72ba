import { useList } from '../../../api/index.ts';
import { Story, stepOf } from '../../../parts/index.ts';
import type { Log } from '../wizard/shares.ts';

const words: Record<string, string> = {
  'campaign.scheduled': 'Scheduled.',
  'campaign.started': 'Started.',
  'campaign.paused': 'Paused.',
  'campaign.resumed': 'Resumed.',
  'campaign.cancelled': 'Cancelled.',
  'campaign.completed': 'Completed.',
  'campaign.clicked': 'A link was opened.',
};

/** The steps of a launch. */
export function LaunchStory({ log }: { log: Log }) {
  const events = useList('/v2/events/', { subject: log.uuid, ordering: 'created' });
  return (
    <Story
      loading={events.isLoading}
      steps={events.rows.map((event) => ({ ...stepOf(event), text: words[event.kind] ?? stepOf(event).text }))}
    />
  );
}
