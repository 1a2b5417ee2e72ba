import {
  type Icon,
  IconCheck,
  IconCircleX,
  IconCloudDown,
  IconCloudUp,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { type Schema, textOf } from '../../api/index.ts';
import { type Step, stepOf } from '../../parts/index.ts';

const known: Record<string, readonly [text: string, icon: Icon]> = {
  'template.created': ['Created.', IconPlus],
  'template.edited': ['Changed and resubmitted.', IconPencil],
  'template.found': ['Synced from the platform.', IconCloudDown],
  'template.restored': ['Change rejected by the platform.', IconCloudDown],
  'template.deleted': ['Deleted.', IconTrash],
};

/** What happened to a template, in sentences. */
export const templateSteps = (events: Schema<'TimelineEvent'>[]): Step[] =>
  events.map((event) => {
    const [text, icon] = known[event.kind] ?? changed(event) ?? [];
    return { ...stepOf(event), ...(text && { text }), ...(icon && { icon }) };
  });

function changed({ kind, data }: Schema<'TimelineEvent'>): readonly [string, Icon] | undefined {
  const status = textOf(data['status']);
  if (kind === 'template.submitted' && status === 'PENDING') return ['In review.', IconCloudUp];
  if (kind !== 'template.changed' && kind !== 'template.submitted') return undefined;
  if (status === 'REJECTED') return ['Rejected.', IconCircleX];
  return [status ? `The platform has it ${status.toLowerCase()}.` : 'Changed by the platform.', IconCheck];
}
