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
  'template.created': ['It was written here.', IconPlus],
  'template.edited': ['It was changed, and goes to the platform again.', IconPencil],
  'template.found': ['It was found at the platform.', IconCloudDown],
  'template.restored': ['It is as it was before: the platform refused the change.', IconCloudDown],
  'template.deleted': ['It was deleted.', IconTrash],
};

/** What happened to a template, in sentences. */
export const templateSteps = (events: Schema<'TimelineEvent'>[]): Step[] =>
  events.map((event) => {
    const [text, icon] = known[event.kind] ?? changed(event) ?? [];
    return { ...stepOf(event), ...(text && { text }), ...(icon && { icon }) };
  });

function changed({ kind, data }: Schema<'TimelineEvent'>): readonly [string, Icon] | undefined {
  const status = textOf(data['status']);
  if (kind === 'template.submitted' && status === 'PENDING')
    return ['The platform has it, and reviews it.', IconCloudUp];
  if (kind !== 'template.changed' && kind !== 'template.submitted') return undefined;
  if (status === 'REJECTED') return ['The platform rejected it.', IconCircleX];
  return [status ? `The platform has it ${status.toLowerCase()}.` : 'The platform changed it.', IconCheck];
}
