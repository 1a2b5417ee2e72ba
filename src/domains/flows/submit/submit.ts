import { CarrierRefusal } from '../../../carriers/ports/carriers.ts';
import type { CarrierFlow, CarrierFlows, Sender } from '../../../carriers/ports/chat.ts';
import type { Deps } from '../../../deps.ts';
import { findChatappAccount, senderOf } from '../../chatapp-accounts/index.ts';
import { submitTask } from '../create.ts';
import type { FlowRow } from '../queries.ts';
import { isBefore } from '../status.ts';
import {
  beginCreation,
  claimFlow,
  finishFlow,
  isSubmitted,
  releaseFlow,
  storeCarrierFlow,
  storeDescribed,
  storeDrawn,
  storeStatus,
} from './queries.ts';

export interface FlowPayload {
  accountId: string;
  uuid: string;
}

/** How soon to look again at a flow that another worker has in hand. */
const busyPauseMs = 5000;

/** The flow and its place on the platform. */
interface Work {
  flows: CarrierFlows;
  sender: Sender;
  row: FlowRow;
}

/**
 * Takes to the platform what has changed about a flow since the last time. Run twice, or after an answer was lost, it goes on
 * from where the flow is. A refusal that later tries may overcome is thrown, for the queue to try again.
 */
export async function submitFlow(deps: Deps, payload: FlowPayload): Promise<void> {
  const { accountId, uuid } = payload;
  const row = await claimFlow(deps.db, accountId, uuid);
  if (!row) {
    if (await isSubmitted(deps.db, accountId, uuid)) return;
    const startAfter = new Date(deps.clock.now().getTime() + busyPauseMs);
    return deps.queue.enqueue(deps.db, submitTask, [payload], { startAfter });
  }
  try {
    await carryOut(deps, row);
    await finishFlow(deps.db, row, '');
  } catch (error) {
    if (!(error instanceof CarrierRefusal) || error.temporary) {
      await releaseFlow(deps.db, row);
      throw error;
    }
    await finishFlow(deps.db, row, `${error.message} (code ${error.code})`);
  }
}

async function carryOut(deps: Deps, row: FlowRow): Promise<void> {
  const account = await findChatappAccount(deps.db, row.account_id, row.chatapp_account);
  if (!account) return;
  const work: Work = {
    flows: deps.carriers.get(account.carrier, 'chat').chat.flows,
    sender: senderOf(deps, account),
    row,
  };
  if (row.flow_id === null) work.row = await storeCarrierFlow(deps.db, row, await createOrRecognise(deps, work));
  if (!work.row.is_described) {
    const { name, categories } = work.row;
    await work.flows.update(work.sender, work.row.flow_id!, { name, categories });
    await storeDescribed(deps.db, work.row);
  }
  if (!work.row.is_drawn) {
    const errors = await work.flows.draw(work.sender, work.row.flow_id!, work.row.definition as object);
    await storeDrawn(deps.db, work.row, errors);
  }
  await moveOn(deps, work);
}

/** After a lost answer the flow may be there already, under the name with which its creation was begun. */
async function createOrRecognise({ db }: Deps, { flows, sender, row }: Work): Promise<CarrierFlow> {
  if (row.begun_as !== null) {
    const found = (await flows.list(sender))?.find(({ name }) => name === row.begun_as);
    if (found) return found;
  }
  await beginCreation(db, row);
  const { name, categories, definition } = row;
  return flows.create(sender, { name, categories, definition: definition as object | null });
}

/** Step by step to the state that is wanted. */
async function moveOn({ db }: Deps, { flows, sender, row }: Work): Promise<void> {
  const { flow_id: id, wanted_status: wanted } = row;
  let { status } = row;
  while (wanted !== null && isBefore(status, wanted)) {
    const next = status === 'DRAFT' ? 'PUBLISHED' : 'DEPRECATED';
    try {
      await (next === 'PUBLISHED' ? flows.publish(sender, id!) : flows.deprecate(sender, id!));
    } catch (error) {
      if (!(error instanceof CarrierRefusal) || error.temporary) throw error;
      // It may be there since an earlier try, whose answer was lost.
      const now = (await flows.list(sender))?.find((flow) => flow.id === id);
      if (!now || isBefore(now.status, next)) throw error;
    }
    status = next;
    await storeStatus(db, row, status);
  }
}
