import assert from 'node:assert/strict';
import type { Deps } from '../../../src/deps.ts';
import { checkIntro } from '../../../src/domains/intros/check.ts';
import { type IntroSnapshot, snapshotOf, withDefaults } from '../../../src/domains/intros/fields.ts';
import { findIntro } from '../../../src/domains/intros/queries.ts';
import { ChatIntroCreate } from '../../../src/domains/intros/schemas.ts';
import { createLinks } from '../../../src/domains/links/index.ts';
import { bodyValidator } from '../../../src/platform/http/validation/index.ts';
import { newId } from '../../../src/platform/ids.ts';

export const phone =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36';

interface Api {
  deps: Deps;
  accountId: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  call(method: 'GET' | 'POST', url: string, body?: unknown, options?: object): Promise<any>;
}

/** Opens a link as a person on a phone, unless the headers say otherwise. */
export const openAs = (app: Api, code: string, headers: Record<string, string> = {}) =>
  app.call('GET', `/l/${code}`, undefined, { token: null, headers: { 'user-agent': phone, ...headers } });

/** An intro made through the API, with the code of its link. */
export async function makeIntro(app: Api, fields: object = {}): Promise<{ uuid: string; code: string }> {
  const { status, body } = await app.call('POST', '/v2/chatapp/chat-intros/', {
    chatapp_number: '+44 20 7946 0011',
    ...fields,
  });
  assert.equal(status, 201, JSON.stringify(body));
  return { uuid: body.uuid, code: body.chat_link.split('/').at(-1) };
}

/** A session of that intro, with its two links. */
export async function makeSession({ deps: { db }, accountId }: Api, chatIntro: string, fields: object = {}) {
  const intro = (await findIntro(db, accountId, chatIntro))!;
  const uuid = newId();
  const [bparty, aparty] = await createLinks(db, accountId, [
    { kind: 'BPARTY', chatIntro, session: uuid, singleUse: intro.bparty_expiry_link },
    { kind: 'APARTY', chatIntro, session: uuid },
  ]);
  const now = new Date().toISOString();
  await db
    .insertInto('intro_sessions')
    .values({
      account_id: accountId,
      uuid,
      chat_intro: chatIntro,
      chatapp_account: intro.chatapp_account,
      aparty_number: '+44 7700 900555',
      aparty_digits: '447700900555',
      status: 'NOTIFIED',
      intro: JSON.stringify(snapshotOf(intro)),
      variables: JSON.stringify({ answers: {}, given: {}, told: { APartyDataContactName: 'Ana' } }),
      flow_token: newId(),
      bparty_shortcode: bparty!,
      aparty_shortcode: aparty!,
      started_at: now,
      last_activity_at: now,
      ...fields,
    })
    .execute();
  return { uuid, bparty: bparty!, aparty: aparty! };
}

export const sessionOf = ({ deps: { db } }: Api, uuid: string) =>
  db.selectFrom('intro_sessions').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow();

/** What the timeline tells of an intro, of one kind of event. */
export async function told({ deps: { db } }: Api, chatIntro: string, kind: string) {
  const rows = await db
    .selectFrom('events')
    .select('data')
    .where('subject', '=', chatIntro)
    .where('kind', '=', kind)
    .orderBy('uuid')
    .execute();
  return rows.map(({ data }) => data as Record<string, unknown>);
}

const errorsOf = bodyValidator(ChatIntroCreate);

/** An intro that the API would have taken. */
export function introOf(request: object): IntroSnapshot {
  const whole = { chatapp_number: '442079460011', ...request };
  assert.equal(errorsOf(whole), null);
  const fields = withDefaults(whole as ChatIntroCreate);
  checkIntro(fields);
  return { uuid: '019a0000-0000-7000-8000-000000000001', shortcode: 'k7m2q9xw4t', ...fields };
}
