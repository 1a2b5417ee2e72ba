import type { CarrierTemplate, CarrierTemplates, Sender, TemplateDefinition } from '../../ports/chat.ts';
import {
  type Answer,
  ask,
  askAll,
  GraphRefusal,
  isFields,
  isMissing,
  objectsIn,
  segment,
  textIn,
  textOr,
} from '../graph/ask.ts';
import type { Graph } from '../graph/client.ts';

const fields = 'id,name,language,category,status,parameter_format,components,quality_score,rejected_reason';
/** "There is already … content for this template", and nothing to delete under that name. */
const exists = 2388024;
const nothingToDelete = 2593002;

/** Message templates of the sender's business account. */
export function makeTemplates(graph: Graph): CarrierTemplates {
  const listOf = (sender: Sender): string => `${segment(sender.settings.business_account_id)}/message_templates`;
  const list = async (sender: Sender, filter: Record<string, string> = {}): Promise<CarrierTemplate[]> =>
    (await askAll(graph, sender, listOf(sender), { fields, ...filter })).map(templateIn);

  /** The one that stands in the way: ours, if the answer to an earlier try was lost. */
  async function adopt(sender: Sender, { name, languageCode }: TemplateDefinition, refusal: unknown) {
    if (!(refusal instanceof GraphRefusal) || !meansExists(refusal)) throw refusal;
    // The filter finds parts of names, too.
    const found = (await list(sender, { name, language: languageCode })).find(
      (template) => template.name === name && template.languageCode === languageCode,
    );
    if (!found) throw refusal;
    return { id: found.id, status: found.status, category: found.category };
  }

  return {
    list: (sender) => list(sender),

    async create(sender, template) {
      try {
        const answer = await ask(graph, sender, { method: 'POST', path: listOf(sender), body: definitionOf(template) });
        const { status, category } = answer;
        return {
          id: textIn(answer, 'id'),
          status: textOr('PENDING', status),
          category: textOr(template.category, category),
        };
      } catch (refusal) {
        return adopt(sender, template, refusal);
      }
    },

    async update(sender, id, change) {
      const path = segment(id);
      await ask(graph, sender, { method: 'POST', path, body: change });
      // The edit is done by now. If its status cannot be had, it is under review like every edit, until a webhook says more.
      const answer: Answer = await ask(graph, sender, { method: 'GET', path, query: { fields: 'status' } }).catch(
        () => ({}),
      );
      return { status: textOr('PENDING', answer.status) };
    },

    async delete(sender, { id, name }) {
      try {
        await ask(graph, sender, { method: 'DELETE', path: listOf(sender), query: { hsm_id: id, name } });
      } catch (refusal) {
        const gone = isMissing(refusal) || (refusal instanceof GraphRefusal && refusal.subcode === nothingToDelete);
        if (!gone) throw refusal;
      }
    },
  };
}

/** The subcode was seen and is not documented; the words are the other evidence. */
const meansExists = ({ code, subcode, message }: GraphRefusal): boolean =>
  code === '100' && (subcode === exists || /already/i.test(message));

const definitionOf = ({ name, languageCode, category, parameterFormat, components }: TemplateDefinition) => ({
  name,
  language: languageCode,
  category,
  ...(parameterFormat === 'NAMED' && { parameter_format: parameterFormat }),
  components,
});

function templateIn(answer: Answer): CarrierTemplate {
  const { quality_score: quality, rejected_reason: reason } = answer;
  return {
    id: textIn(answer, 'id'),
    name: textIn(answer, 'name'),
    languageCode: textIn(answer, 'language'),
    category: textOr('', answer.category),
    status: textOr('PENDING', answer.status),
    parameterFormat: answer.parameter_format === 'NAMED' ? 'NAMED' : 'POSITIONAL',
    components: objectsIn(answer.components),
    quality: isFields(quality) ? textOr('UNKNOWN', quality.score) : 'UNKNOWN',
    rejectedReason: reason === 'NONE' ? '' : textOr('', reason),
  };
}
