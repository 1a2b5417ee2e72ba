import type { CarrierFlow, CarrierFlows, Sender } from '../../ports/chat.ts';
import {
  type Answer,
  ask,
  askAll,
  GraphRefusal,
  isFields,
  objectsIn,
  segment,
  textIn,
  textOr,
  unreadable,
} from '../graph/ask.ts';
import type { Graph } from '../graph/client.ts';

const fields = 'id,name,status,categories,validation_errors';
/** "Flow name is not unique." */
const nameTaken = 4016019;

/** Flows of the sender's business account. A flow's life: DRAFT → PUBLISHED → DEPRECATED. */
export function makeFlows(graph: Graph): CarrierFlows {
  const listOf = (sender: Sender): string => `${segment(sender.settings.business_account_id)}/flows`;
  const list = async (sender: Sender): Promise<CarrierFlow[]> =>
    (await askAll(graph, sender, listOf(sender), { fields })).map(flowIn);

  /** The flow that has the name already: ours, if the answer to an earlier try was lost. */
  async function adopt(sender: Sender, name: string, refusal: unknown): Promise<CarrierFlow> {
    const taken = refusal instanceof GraphRefusal && (refusal.subcode === nameTaken || /unique/i.test(refusal.message));
    const found = taken ? (await list(sender)).find((flow) => flow.name === name) : undefined;
    if (!found) throw refusal;
    return found;
  }

  /** Takes a flow one step on; one that has gone it already, because an answer was lost, is as good. */
  async function move(sender: Sender, id: string, step: string, status: string): Promise<void> {
    const path = segment(id);
    try {
      await ask(graph, sender, { method: 'POST', path: `${path}/${step}` });
    } catch (refusal) {
      if (!(refusal instanceof GraphRefusal) || refusal.temporary) throw refusal;
      const now: Answer = await ask(graph, sender, { method: 'GET', path, query: { fields } }).catch(() => ({}));
      if (now.status !== status) throw refusal;
    }
  }

  return {
    list,

    async create(sender, { name, categories, definition }) {
      const body = { name, categories, ...(definition && { flow_json: JSON.stringify(definition) }) };
      try {
        const answer = await ask(graph, sender, { method: 'POST', path: listOf(sender), body });
        const validationErrors = objectsIn(answer.validation_errors);
        return { id: textIn(answer, 'id'), name, status: 'DRAFT', categories, validationErrors };
      } catch (refusal) {
        return adopt(sender, name, refusal);
      }
    },

    async update(sender, id, change) {
      await ask(graph, sender, { method: 'POST', path: segment(id), body: change });
    },

    async draw(sender, id, definition) {
      const form = new FormData();
      form.append('name', 'flow.json');
      form.append('asset_type', 'FLOW_JSON');
      form.append('file', new Blob([JSON.stringify(definition)], { type: 'application/json' }), 'flow.json');
      const answer = await ask(graph, sender, { method: 'POST', path: `${segment(id)}/assets`, body: form });
      return objectsIn(answer.validation_errors);
    },

    async remove(sender, id) {
      await ask(graph, sender, { method: 'DELETE', path: segment(id) });
    },

    publish: (sender, id) => move(sender, id, 'publish', 'PUBLISHED'),
    deprecate: (sender, id) => move(sender, id, 'deprecate', 'DEPRECATED'),

    async preview(sender, id) {
      const query = { fields: 'preview.invalidate(false)' };
      const { preview } = await ask(graph, sender, { method: 'GET', path: segment(id), query });
      if (!isFields(preview)) throw unreadable();
      // `+0000` is the platform's way; ISO 8601 in full has a colon.
      const expiresAt = new Date(textIn(preview, 'expires_at').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
      if (Number.isNaN(expiresAt.getTime())) throw unreadable();
      return { previewUrl: textIn(preview, 'preview_url'), expiresAt };
    },
  };
}

const flowIn = (answer: Answer): CarrierFlow => ({
  id: textIn(answer, 'id'),
  name: textOr('', answer.name),
  status: textOr('DRAFT', answer.status),
  categories: Array.isArray(answer.categories) ? answer.categories.filter((one) => typeof one === 'string') : [],
  validationErrors: objectsIn(answer.validation_errors),
});
