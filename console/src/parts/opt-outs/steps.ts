import { IconBan, IconUserCheck } from '@tabler/icons-react';
import type { Row } from '../../api/index.ts';
import type { Step } from '../index.ts';
import { sayChannel, saySource } from './words.ts';

/** Every time that somebody opted out or came back, as a story. */
export const optOutSteps = (events: Row<'/v2/opt-out-events/'>[]): Step[] =>
  events.map(({ uuid, created, action, channel, source, text }) => {
    const out = action === 'OPT_OUT';
    return {
      id: uuid,
      at: created,
      text: `${out ? 'Opted out of' : 'Opted in to'} ${sayChannel(channel)}, ${saySource(source)}`,
      icon: out ? IconBan : IconUserCheck,
      color: out ? 'orange' : 'brand',
      ...(text && { cause: `“${text}”` }),
    };
  });
