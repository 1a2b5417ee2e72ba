import { newId } from '../../platform/ids.ts';
import { within } from '../../platform/time/pause.ts';
import { isMissing } from './ari/ari.ts';
import type { LiveLeg } from './leg.ts';
import { ownPrefix, type Switchboard } from './switchboard.ts';

/** Lets two hear each other until either is over. */
export async function bridge({ ari, log }: Switchboard, one: LiveLeg, other: LiveLeg): Promise<void> {
  const isOver = (): boolean => one.isOver || other.isOver;
  const ended = Promise.race([one.leg.ended, other.leg.ended]);
  // A channel that still plays something would enter the bridge only after it.
  await Promise.all([one.quiet, other.quiet]);
  if (isOver()) return;
  const id = `${ownPrefix}${newId()}`;
  try {
    // Without `dtmf_events` two alone are joined so closely that keys are not told.
    await ari.ask('POST', ['bridges', id], { query: { type: 'mixing,dtmf_events' } });
    await ari.ask('POST', ['bridges', id, 'addChannel'], { query: { channel: `${one.id},${other.id}` } });
    await ended;
  } catch (error) {
    // Asterisk refuses a channel that has hung up, of which we may hear a moment later.
    if (!(await isOverSoon(isOver, ended))) throw error;
  } finally {
    await ari.ask('DELETE', ['bridges', id]).catch((error) => {
      if (!isMissing(error)) log.warn({ error: error.message }, 'A bridge in Asterisk could not be removed');
    });
  }
}

const soonMs = 1_000;

async function isOverSoon(isOver: () => boolean, ended: Promise<unknown>): Promise<boolean> {
  if (!isOver()) await within(soonMs, ended);
  return isOver();
}
