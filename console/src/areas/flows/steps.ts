import { type Icon, IconCloudUp, IconFlag, IconPencil, IconPlus } from '@tabler/icons-react';
import { type Schema, textOf } from '../../api/index.ts';
import { type Step, stepOf } from '../../parts/index.ts';

type Told = readonly [text: string, icon: Icon];

const known: Record<string, Told> = {
  'flow.created': ['Created.', IconPlus],
  'flow.submitted': ['Submitted to the platform.', IconCloudUp],
  'flow.updated': ['Changed.', IconPencil],
};

/** What happened to a flow, in sentences. */
export const flowSteps = (events: Schema<'TimelineEvent'>[]): Step[] =>
  events.map((event) => {
    const status = textOf(event.data['status']);
    const moved: Told | undefined =
      event.kind === 'flow.status' && status ? [`It is ${status.toLowerCase()}.`, IconFlag] : known[event.kind];
    return moved ? { ...stepOf(event), text: moved[0], icon: moved[1] } : stepOf(event);
  });
