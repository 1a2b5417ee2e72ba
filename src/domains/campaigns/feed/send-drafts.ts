import type { Deps } from '../../../deps.ts';
import { ApiError, type FieldErrors, ValidationError } from '../../../platform/errors.ts';
import { sentenceOf } from '../../../platform/work/first-error.ts';
import type { RecipientRow } from '../audience/recipient-queries.ts';
import { type Draft, skipped } from '../launches/decide.ts';
import type { LogRow } from '../logs/queries.ts';
import { channels, type Outgoing } from './channels.ts';
import { requestOf } from './compose.ts';
import { trackLinks } from './track-links.ts';

/** The launch cannot go on, whoever it comes to next: it has to be paused, and nothing of this step remains. */
export class Unsendable extends Error {
  override name = 'Unsendable';
}

/** Sends what was decided on; answers what became of each. What is refused for its own sake is skipped. */
export async function sendDrafts(deps: Deps, log: LogRow, drafts: Draft[]): Promise<RecipientRow[]> {
  const { account_id, uuid: campaignLog, snapshot } = log;
  if (snapshot.track_links) await trackLinks(deps, account_id, campaignLog, drafts);
  const rows: RecipientRow[] = [];
  const outgoing: (Outgoing & { draft: Draft })[] = [];
  for (const draft of drafts) {
    const made = requestOf(snapshot, draft.content, draft.to);
    if ('problem' in made) rows.push(skipped(draft.candidate, 'invalid', made.problem));
    else outgoing.push({ uuid: draft.uuid, request: made.request, draft });
  }
  if (outgoing.length === 0) return rows;
  const results = await channels[snapshot.channel].send(deps, account_id, campaignLog, outgoing);
  outgoing.forEach(({ draft: { uuid, candidate } }, index) => {
    const result = results[index]!;
    if (result.status === 'rejected') rows.push(refused(candidate, result.reason));
    else rows.push({ ...skipped(candidate, ''), state: 'QUEUED', message: uuid });
  });
  return rows;
}

function refused(candidate: Draft['candidate'], reason: unknown): RecipientRow {
  if (reason instanceof ApiError) {
    if (reason.code === 'sending_cap_reached') throw new Unsendable(reason.message);
    const word = reason.code === 'recipient_opted_out' ? 'opted_out' : reason.code;
    return skipped(candidate, word, reason.message);
  }
  if (!(reason instanceof ValidationError)) throw reason;
  const sentence = sentenceOf(reason.errors);
  if (concernsAll(reason.errors as FieldErrors)) throw new Unsendable(sentence);
  return skipped(candidate, 'invalid', sentence);
}

/** The sender is gone, the template is not approved, the account has no link: the next recipient would fare no better. */
const concernsAll = (errors: FieldErrors): boolean =>
  'chatapp_number' in errors ||
  'from' in errors ||
  'non_field_errors' in errors ||
  'template_name' in ((errors['template'] as FieldErrors | undefined) ?? {});
