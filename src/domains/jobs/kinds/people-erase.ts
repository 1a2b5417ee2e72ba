import { Type } from 'typebox';
import type { Deps } from '../../../deps.ts';
import type { FileName } from '../../../platform/files/files.ts';
import type { Actor } from '../../../platform/http/route.ts';
import { countStored } from '../../accounts/index.ts';
import { eraseRecipient, isRecipientHeld } from '../../campaigns/index.ts';
import { eraseContact } from '../../contacts/index.ts';
import { eraseWatches } from '../../insights/index.ts';
import { eraseNotices, eraseSessions } from '../../intros/index.ts';
import { eraseLeads } from '../../leads/index.ts';
import { eraseConversations, eraseMessages, hasMessagesWith } from '../../messages/index.ts';
import { eraseCaller } from '../../numbers/index.ts';
import { erasedKey, eraseOptOuts } from '../../optouts/index.ts';
import { insertErasure } from '../../people/index.ts';
import { eraseSafeguards } from '../../safeguards/index.ts';
import { eraseSms, hasSmsWith } from '../../sms/index.ts';
import { erasePersonEvents } from '../../timeline/index.ts';
import { eraseCalls, hasCallsWith } from '../../voice/index.ts';
import { deleteDeliveriesNaming } from '../../webhooks/index.ts';
import type { Kind } from '../kind.ts';
import { findJob } from '../queries.ts';
import { blankResultsNaming } from '../result-queries.ts';
import type { Work } from '../running/work.ts';

/** Rows of one transaction. */
const batchSize = 200;
/** Rows that are looked through for a number in one transaction. */
const scanSize = 2_000;
/** A number is looked for by its last digits, since it may be written without its country; fewer are found everywhere. */
const scannedDigits = 9;
const zero = '00000000-0000-0000-0000-000000000000';

interface Input {
  digits: string;
  actor: Actor;
}

interface Taken {
  erased: number;
  /** Whose bytes go when the rows are gone; a file that a crash leaves behind is swept up with the others that have no row. */
  files?: FileName[];
}

/** What goes, in batches; each answers how much it took, less than a batch at the end. */
const stages: Record<
  string,
  (deps: Deps, accountId: string, person: { digits: string; hash: string }) => Promise<Taken>
> = {
  messages: (deps, accountId, { digits }) => eraseMessages(deps, accountId, digits, batchSize),
  sms: async (deps, accountId, { digits }) => ({ erased: await eraseSms(deps, accountId, digits, batchSize) }),
  calls: (deps, accountId, { digits }) => eraseCalls(deps, accountId, digits, batchSize),
  sessions: async ({ db }, accountId, { digits }) => ({
    erased: await eraseSessions(db, accountId, digits, batchSize),
  }),
  notices: async ({ db }, accountId, { digits }) => ({ erased: await eraseNotices(db, accountId, digits) }),
  leads: async ({ db }, accountId, { digits }) => ({ erased: await eraseLeads(db, accountId, digits, batchSize) }),
  contacts: async (deps, accountId, { digits }) => ({ erased: await eraseContact(deps, accountId, digits) }),
  conversations: async (deps, accountId, { digits, hash }) => {
    await eraseWatches(deps.db, accountId, digits);
    await eraseSafeguards(deps.db, accountId, digits);
    await eraseCaller(deps.db, accountId, digits, hash);
    return { erased: await eraseConversations(deps.db, accountId, digits) };
  },
  campaigns: async ({ db }, accountId, { digits }) => ({ erased: await eraseRecipient(db, accountId, digits) }),
  events: async ({ db }, accountId, person) => ({ erased: await erasePersonEvents(db, accountId, person, batchSize) }),
  opt_outs: async (deps, accountId, { digits }) => ({ erased: await eraseOptOuts(deps, accountId, digits) }),
};
const stageNames = Object.keys(stages);
const scans = {
  deliveries: deleteDeliveriesNaming,
  results: blankResultsNaming,
} as const;
const total = stageNames.length + Object.keys(scans).length + 1;

/**
 * Erases a person: what they said, who they are, what was recorded. It may begin anew at any time, since what is gone costs one look. What
 * is just being handed over, a call under way and a recipient whom a campaign holds until a time are waited for.
 */
export const peopleErase: Kind = {
  type: 'people.erase',
  scope: 'people:write',
  isInternal: true,
  Input: Type.Object({ digits: Type.String() }, { title: 'PeopleEraseInput' }),
  totalOf: () => total,
  async run(work) {
    const { accountId, deps, job } = work;
    const { digits, actor } = work.input as Input;
    const person = { digits, hash: erasedKey(deps.vault, accountId, digits) };
    for (const [place, name] of stageNames.entries()) {
      if ((await takeAll(work, name, place + 1, person)) === 'stop') return 'stop';
    }
    for (const [place, name] of Object.keys(scans).entries()) {
      const verdict = await scan(work, name as keyof typeof scans, stageNames.length + place + 1, digits);
      if (verdict === 'stop') return 'stop';
    }
    if (await isSomethingLeft(deps, accountId, digits)) return 'later';
    return work.step(async ({ db }) => {
      const { counts } = (await findJob(db, accountId, job))!;
      const { type: actor_type, uuid: actor_uuid, name: actor_name } = actor;
      const figures = counts as Record<string, number>;
      await insertErasure(db, accountId, {
        person: person.hash,
        actor_type,
        actor_uuid,
        actor_name,
        job,
        counts: figures,
      });
      return { done: total, counts: {}, results: [] };
    });
  },
};

async function takeAll(work: Work, name: string, place: number, person: { digits: string; hash: string }) {
  const { accountId, deps } = work;
  for (let taken: Taken = { erased: batchSize }; taken.erased >= batchSize; ) {
    const verdict = await work.step(async (deps, done) => {
      taken = await stages[name]!(deps, accountId, person);
      return { done: Math.max(done, place), counts: { [name]: taken.erased }, results: [] };
    });
    if (verdict === 'stop') return verdict;
    for (const file of taken.files ?? []) await removeFile(deps, accountId, name, file);
  }
  return 'go';
}

/** What media took is given back with their rows; what a recording took is known by its file alone. */
async function removeFile({ db, files }: Deps, accountId: string, stage: string, file: FileName): Promise<void> {
  const size = stage === 'calls' ? await files.size(file) : undefined;
  await files.delete(file);
  if (size !== undefined) await countStored(db, accountId, -size);
}

/** Goes through what names people without an index for it. */
async function scan(work: Work, name: keyof typeof scans, place: number, digits: string) {
  if (digits.length < scannedDigits) return 'go';
  for (let after: string | null = zero; after !== null; ) {
    const from: string = after;
    const verdict = await work.step(async ({ db }, done) => {
      const { deleted, next } = await scans[name](db, work.accountId, digits.slice(-scannedDigits), {
        after: from,
        most: scanSize,
      });
      after = next;
      return { done: Math.max(done, place), counts: { [name]: deleted }, results: [] };
    });
    if (verdict === 'stop') return verdict;
  }
  return 'go';
}

const isSomethingLeft = async ({ db }: Deps, accountId: string, digits: string): Promise<boolean> =>
  (await hasMessagesWith(db, accountId, digits)) ||
  (await hasSmsWith(db, accountId, digits)) ||
  (await hasCallsWith(db, accountId, digits)) ||
  isRecipientHeld(db, accountId, digits);
