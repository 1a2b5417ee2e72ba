import { useList } from '../../../api/index.ts';
import { Story, stepOf } from '../../../parts/index.ts';
import type { Log } from '../wizard/shares.ts';

const words: Record<string, string> = {
  'campaign.scheduled': 'Launched; it waits for its moment.',
  'campaign.started': 'It began.',
  'campaign.paused': 'It was paused.',
  'campaign.resumed': 'It went on.',
  'campaign.cancelled': 'It was cancelled.',
  'campaign.completed': 'It is through with everybody.',
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
