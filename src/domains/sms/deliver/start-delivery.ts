import type { Deps } from '../../../deps.ts';
import { type Place, startDispatch } from '../../../platform/work/dispatch.ts';
import { findSandboxModes } from '../../accounts/index.ts';
import { findCarrier } from '../links/links.ts';
import { hasEarlyText } from '../receive/part-queries.ts';
import { placeLate } from '../receive/receipts.ts';
import { type FastPath, openFastPath } from '../send/fast-path.ts';
import { claimBatch, deliverBatch } from './deliver-batch.ts';
import type { Batch } from './hand-over.ts';
import { findWaitingAnyAccount, hasHopelessText, type WaitingLink } from './queue.ts';
import { endHopeless, recoverAbandoned } from './recover.ts';
import { hasInHandText, outbox } from './states.ts';
import { startTakenLately } from './taken-lately.ts';

/** How many SMS are handed over at once by the heaviest of an account's links; the others take their share of that. */
const batchSize = 200;
/** How long the last of them wait for a database that is away when the process ends. */
const drainMs = 10_000;

interface UpLink extends Place {
  link: WaitingLink;
  /** How many it takes at once. */
  most: number;
}

/**
 * Delivery: SMS wait in their account's queue, and every link that is up in this process takes from it at its own rate (see
 * `platform/work/dispatch.ts`). When a link goes down, the others take what it would have taken.
 */
export function startSmsDelivery(deps: Deps): { stop(): Promise<void> } {
  const fastPath = openFastPath(deps);
  const reclaims = outbox.startReclaims(deps);
  const taken = startTakenLately(deps);
  const dispatch = startDispatch<UpLink, Batch>({
    name: 'sms delivery',
    log: deps.log,
    foreground: deps.foreground,
    watches: outbox.watch(deps, {
      found: hasInHandText,
      lost: [hasInHandText, hasHopelessText, hasEarlyText].join(' or '),
    }),
    find: (within) => findUp(deps, fastPath, within),
    async claim({ link, most: share }, claim) {
      const accepted = await fastPath.take(link, share);
      if (accepted) return { batch: accepted, isFull: accepted.claimed.length >= share };
      const most = Math.min(share, deps.carriers.get(link.carrier, 'sms').sms.room(link));
      const batch = most > 0 ? await claimBatch(deps, link, most, claim) : undefined;
      if (!batch) return undefined;
      const notLeft = reclaims.note({ accountId: link.account_id, owner: link.uuid, claim }, batch.claimed);
      return { batch: { ...batch, notLeft }, isFull: batch.claimed.length >= most };
    },
    handOver: (batch, left, ending) => deliverBatch(deps, batch, left, ending),
    async recover(doubts) {
      await fastPath.sweep();
      await endHopeless(deps);
      await placeLate(deps);
      return recoverAbandoned(deps, doubts, fastPath.known());
    },
  });
  deps.listener.on(outbox.topic, dispatch.notice);
  const clocks = outbox.followClocks(deps);
  outbox.hastenAfterJumps(deps);
  return {
    async stop() {
      await clocks.stop();
      await dispatch.stop();
      await reclaims.stop();
      const ending = AbortSignal.timeout(drainMs);
      await fastPath.close((batch) => deliverBatch(deps, batch, () => {}, ending));
      await taken.stop();
    },
  };
}

async function findUp(deps: Deps, fastPath: FastPath, within: (ms: number) => void): Promise<UpLink[]> {
  // They are claimed: should the link have gone down meanwhile, they are taken all the same, and put into the queue.
  const accepted = fastPath.links();
  const isTaken = new Set(accepted.map(({ uuid }) => uuid));
  const waiting = await outbox.findReady(deps, findWaitingAnyAccount, within);
  const canLeave = (link: WaitingLink) => findCarrier(deps, link.carrier)?.sms?.isUp(link) && !isTaken.has(link.uuid);
  const up = [...accepted, ...(await withoutTrials(deps, waiting.filter(canLeave)))];
  const heaviest = new Map<string, number>();
  for (const { account_id, weight } of up) heaviest.set(account_id, Math.max(weight, heaviest.get(account_id) ?? 0));
  return inTurn(up).map((link) => {
    const { account_id: queue, uuid, carrier, weight } = link;
    const now = deps.carriers.get(carrier).clock(queue).now();
    const most = Math.max(1, Math.round((batchSize * weight) / heaviest.get(queue)!));
    const waitMs = Date.parse(link.due_at) - now.getTime();
    return { key: `${queue} ${uuid}`, account: queue, queue, waitMs, link, most };
  });
}

/** Where the sandbox is off, a link on it takes nothing that another can take. */
async function withoutTrials(deps: Deps, links: WaitingLink[]): Promise<WaitingLink[]> {
  const isTrial = ({ carrier }: WaitingLink) => deps.carriers.trials.has(carrier);
  const live = new Set(links.filter((link) => !isTrial(link)).map(({ account_id }) => account_id));
  const inDoubt = links.filter((link) => isTrial(link) && live.has(link.account_id));
  if (inDoubt.length === 0) return links;
  const modes = await findSandboxModes(deps, [...new Set(inDoubt.map(({ account_id }) => account_id))]);
  return links.filter((link) => !(inDoubt.includes(link) && modes.get(link.account_id) === 'off'));
}

/** In an order of chance in which the heavier come first the more often: so weights hold when there is little to send, too. */
const inTurn = (links: WaitingLink[]): WaitingLink[] =>
  links
    .map((link) => ({ link, turn: -Math.log(1 - Math.random()) / link.weight }))
    .sort((a, b) => a.turn - b.turn)
    .map(({ link }) => link);
