import type { Deps } from '../../deps.ts';
import { ApiError, notFound, ValidationError } from '../../platform/errors.ts';
import { within } from '../../platform/within.ts';
import { phoneReader } from '../accounts/index.ts';
import { resolveSenders, whyNoSender } from '../chatapp-accounts/index.ts';
import { isLinked } from '../links/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { announce } from '../webhooks/index.ts';
import { findLead, type LeadRow, type NewLead, upsertLeads } from './queries.ts';
import { type LeadSubmit, presentLead } from './schemas.ts';

/** Starts the session of a person with an intro; whoever has one keeps it. */
export type StartIntro = (
  deps: Deps,
  accountId: string,
  chatIntro: string,
  person: { aparty_number: string; aparty_name: string; variables: Record<string, string> },
) => Promise<unknown>;

/** Stores a person who showed interest. With an intro, that is where they meet it. */
export async function submitLead(
  deps: Deps,
  accountId: string,
  request: LeadSubmit,
  startIntro: StartIntro,
): Promise<LeadRow> {
  const { chatapp_number, phone_number, name = '', source = '', chat_intro = null, data = {} } = request;
  const [sender] = await resolveSenders(deps, [{ accountId, chatappNumber: chatapp_number }]);
  if (!sender) throw new ValidationError({ chatapp_number: [await whyNoSender(deps, accountId, chatapp_number)] });
  if (chat_intro && !(await isLinked(deps.db, accountId, chat_intro))) throw noIntro();
  const digits = (await phoneReader(deps, accountId))(phone_number);
  return within(deps, async (deps) => {
    const lead = { chatapp_account: sender.uuid, chatapp_number, phone_number, digits, name, source, chat_intro, data };
    const [kept] = await keepLeads(deps, accountId, [lead]);
    if (chat_intro === null) return kept!;
    const person = { aparty_number: phone_number, aparty_name: name, variables: textsOf(data) };
    await startIntro(deps, accountId, chat_intro, person).catch((error) => {
      // Who was deleted while we looked is not there; whoever has not written and is sent no template cannot be met yet.
      if (error instanceof ApiError && error.code === 'not_found') throw noIntro();
      if (!(error instanceof ApiError && error.code === 'window_closed')) throw error;
    });
    const met = await findLead(deps.db, accountId, kept!.uuid);
    if (!met) throw notFound();
    return met;
  });
}

const noIntro = () => new ValidationError({ chat_intro: ['Not found.'] });

/** What a lead says in texts fills placeholders. */
const textsOf = (data: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(data)
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .slice(0, 200),
  );

/** Keeps people as leads, in the caller's transaction. A person and an intro are one lead, which is brought up to date. */
export async function keepLeads(deps: Deps, accountId: string, leads: NewLead[]): Promise<LeadRow[]> {
  if (leads.length === 0) return [];
  const rows = await upsertLeads(deps.db, accountId, leads);
  await appendEvents(
    deps.db,
    rows.map(({ uuid, isNew, chat_intro, phone_number, source }) => ({
      accountId,
      subjectType: 'lead',
      subject: uuid,
      kind: isNew ? 'lead.created' : 'lead.updated',
      data: { chat_intro, phone_number, source },
    })),
  );
  await announce(
    deps.db,
    deps,
    rows.map((row) => ({
      accountId,
      type: row.isNew ? 'chatapp.lead.created' : 'chatapp.lead.updated',
      data: presentLead(row),
    })),
  );
  return rows;
}
