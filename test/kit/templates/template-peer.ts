import { CarrierRefusal, makeCarriers } from '../../../src/carriers/ports/carriers.ts';
import type { CarrierTemplate, CarrierTemplates, OutboundFile } from '../../../src/carriers/ports/chat.ts';
import type { Deps } from '../../../src/deps.ts';
import { newId } from '../../../src/platform/ids.ts';

/** For tests: a carrier that keeps templates and decides about them, as far as a test lets it. */
export interface Peer {
  /** What it has, by its ids. */
  standing: Map<string, CarrierTemplate>;
  calls: string[];
  samples: OutboundFile[];
  /** What happens while it thinks; it may refuse. */
  meanwhile: (call: string) => Promise<void>;
  idOf(name: string): string;
  reset(): void;
}

/** Puts the peer beside the other carriers; a chat-app account becomes its. */
export async function addPeer(deps: Deps, chatappAccount: string): Promise<Peer> {
  const nothing = async (): Promise<void> => {};
  const peer: Peer = {
    standing: new Map(),
    calls: [],
    samples: [],
    meanwhile: nothing,
    idOf: (name) => [...peer.standing.values()].find((template) => template.name === name)!.id,
    reset() {
      peer.standing.clear();
      peer.calls.length = 0;
      peer.meanwhile = nothing;
    },
  };
  const sandbox = deps.carriers.get('sandbox', 'chat');
  const media = {
    ...sandbox.chat.media,
    uploadSample: async (_sender: unknown, file: OutboundFile) => `handle ${peer.samples.push(file)}`,
  };
  const chat = { ...sandbox.chat, templates: templatesOf(peer), media };
  const carrier = { name: 'peer', adoptsUnknown: false, clock: sandbox.clock, chat };
  // In place: requests have dependencies of their own, with the same carriers.
  Object.assign(deps.carriers, makeCarriers([...deps.carriers.all(), carrier]));
  await deps.db
    .updateTable('chatapp_accounts')
    .set({ carrier: 'peer', business_account_id: '17' })
    .where('uuid', '=', chatappAccount)
    .execute();
  deps.caches.forget();
  return peer;
}

function templatesOf(peer: Peer): CarrierTemplates {
  const { standing } = peer;
  const note = (call: string): Promise<void> => {
    peer.calls.push(call);
    return peer.meanwhile(call);
  };
  return {
    async list() {
      const listed = [...standing.values()];
      await note('list');
      return listed;
    },
    async create(_sender, template) {
      const same = [...standing.values()].find(({ name }) => name === template.name);
      const taken = same ?? { ...template, id: newId(), status: 'PENDING', quality: 'UNKNOWN', rejectedReason: 'NONE' };
      standing.set(taken.id, taken);
      await note('create');
      return { id: taken.id, status: taken.status, category: taken.category };
    },
    async update(_sender, id, change) {
      await note(`update ${Object.keys(change).join()}`);
      standing.set(id, { ...standing.get(id)!, ...change, status: 'PENDING' });
      return { status: 'PENDING' };
    },
    async delete(_sender, { id }) {
      await note('delete');
      standing.delete(id);
    },
  };
}

/** Says no to everything but a look. */
export const refusing =
  ({ temporary }: { temporary: boolean }) =>
  async (call: string): Promise<void> => {
    if (call !== 'list') throw new CarrierRefusal('100', 'Not like this.', { temporary });
  };
