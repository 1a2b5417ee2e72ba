import type { Deps } from '../../../deps.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { channels, findNow } from '../feed/channels.ts';
import { findAllowed } from '../feed/decide.ts';
import type { CampaignFields } from '../schemas.ts';
import { countZones } from './queries.ts';
import type { CampaignReview } from './schemas.ts';

type Times = Pick<CampaignReview, 'begins' | 'ends' | 'rate_per_second' | 'held'>;

/** When a launch would begin, whom quiet hours would hold and until when, and when it would be done at its rate. */
export async function estimateTimes(
  deps: Deps,
  accountId: string,
  campaign: CampaignFields,
  { moment, people }: { moment: string | null; people: number },
): Promise<Times> {
  const channel = channels[campaign.channel];
  const now = await findNow(deps, accountId, campaign);
  const begins = new Date(Math.max(now.getTime(), moment === null ? 0 : Date.parse(moment)));
  const senders = await channel.perSecond(deps, accountId, campaign.sender);
  const own = campaign.rate_per_second;
  const rate = Math.min(own ?? Number.POSITIVE_INFINITY, senders > 0 ? senders : Number.POSITIVE_INFINITY);
  const held = await findHeld(deps, accountId, campaign, begins);
  const known = Number.isFinite(rate);
  return {
    begins: timestamp(begins),
    ends: known ? timestamp(endOf(begins, people, held, rate)) : null,
    rate_per_second: known ? rate : null,
    held: sayHeld(held),
  };
}

/** How many people may be written to from each moment on, in order. */
type Held = { at: number; people: number }[];

async function findHeld(deps: Deps, accountId: string, campaign: CampaignFields, begins: Date): Promise<Held> {
  const { allowed, hasHours } = await findAllowed(deps, accountId, campaign);
  if (!hasHours) return [];
  const held = new Map<number, number>();
  for (const { digits, time_zone, people } of await countZones(deps.db, accountId, campaign)) {
    const at = allowed({ digits, time_zone }, begins).getTime();
    if (at > begins.getTime()) held.set(at, (held.get(at) ?? 0) + Number(people));
  }
  return [...held].map(([at, people]) => ({ at, people })).sort((a, b) => a.at - b.at);
}

const sayHeld = (held: Held): CampaignReview['held'] =>
  held.length === 0
    ? null
    : {
        people: held.reduce((sum, one) => sum + one.people, 0),
        from: timestamp(new Date(held[0]!.at)),
        until: timestamp(new Date(held.at(-1)!.at)),
      };

/** People who may be written to go first; the others follow as their quiet hours end. */
function endOf(begins: Date, people: number, held: Held, rate: number): Date {
  const waiting = held.reduce((sum, one) => sum + one.people, 0);
  let end = begins.getTime() + (Math.max(0, people - waiting) / rate) * 1000;
  for (const one of held) end = Math.max(end, one.at) + (one.people / rate) * 1000;
  return new Date(end);
}
