import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { CompiledQuery, sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { anyCharacter } from '../../../../test/kit/characters.ts';
import { onlyPlain } from '../../../../test/kit/database.ts';
import { newId } from '../../../platform/ids.ts';
import { tellClicksAnyAccount } from '../clicks/queries.ts';
import { cluesOf, type Inbound, type Match, matchInbound } from './match.ts';
import { parametersOf, statement } from './queries.ts';

const url = '/v2/chatapp/chat-intros/';

describe('matchInbound', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  interface Intro {
    uuid: string;
    shortcode: string;
    chatappAccount: string;
  }
  let numbers = 0;
  /** Of a number that no other test has. */
  const nextNumber = (): string => `+4420794${String(60_000 + numbers++)}`;

  async function create(chatapp_number: string, fields: object = {}): Promise<Intro> {
    const { status, body } = await app.call('POST', url, { chatapp_number, ...fields });
    assert.equal(status, 201, JSON.stringify(body));
    const row = await app.deps.db
      .selectFrom('chat_intros')
      .select('chatapp_account')
      .where('account_id', '=', app.accountId)
      .where('uuid', '=', body.uuid)
      .executeTakeFirstOrThrow();
    return { uuid: body.uuid, shortcode: body.chat_link.slice(5), chatappAccount: row.chatapp_account };
  }

  /** More intros like one that is there, never opened. */
  const multiply = (intro: Intro, times: number) =>
    sql`with made as (
        insert into chat_intros select made.* from chat_intros as intro cross join generate_series(1, ${times}::int) as n
        cross join jsonb_populate_record(intro, jsonb_build_object('uuid', uuidv7(), 'shortcode', 's' || n)) as made
        where intro.uuid = ${intro.uuid}
        returning account_id, uuid
      )
      insert into intro_keys select made.* from intro_keys as keys cross join made as copy
      cross join jsonb_populate_record(keys, jsonb_build_object('chat_intro', copy.uuid)) as made
      where keys.chat_intro = ${intro.uuid}`.execute(app.deps.db);

  const setOpenedAt = (intro: Intro, at: string) =>
    tellClicksAnyAccount(app.deps.db, [
      {
        accountId: app.accountId,
        chatIntro: intro.uuid,
        link: 'INTRO',
        session: null,
        visitor: '0123456789abcdef',
        atMs: Date.now(),
        openedMs: Date.parse(at),
      },
    ]);

  const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

  async function openSession(intro: Intro, digits: string, columns: { reply_message?: string; active?: string } = {}) {
    const { active = ago(0), ...rest } = columns;
    const uuid = newId();
    const values = {
      account_id: app.accountId,
      uuid,
      chat_intro: intro.uuid,
      chatapp_account: intro.chatappAccount,
      aparty_number: `+${digits}`,
      aparty_digits: digits,
      status: 'STARTED',
      intro: '{}',
      variables: '{}',
      flow_token: `flow-${uuid}`,
      bparty_shortcode: 'code',
      started_at: active,
      last_activity_at: active,
      ...rest,
    };
    await app.deps.db.insertInto('intro_sessions').values(values).execute();
    return { uuid, flowToken: values.flow_token };
  }

  async function match(intro: Intro, text: string, more: Partial<Inbound> = {}): Promise<Match | undefined> {
    const wanted = { chatappAccount: intro.chatappAccount, text, fromDigits: '447700900123', ...more };
    const [found] = await matchInbound(app.deps.db, app.accountId, [wanted]);
    return found;
  }

  const named = (intro: Intro, how: string, tied = false) => ({ kind: 'intro', chatIntro: intro.uuid, how, tied });
  const inSession = (intro: Intro, session: { uuid: string }, how: string) => ({
    kind: 'session',
    session: session.uuid,
    chatIntro: intro.uuid,
    how,
  });

  it('knows the expected text as the link fills it in, whatever its case, width and white space', async () => {
    const intro = await create(nextNumber(), {
      reference_id: 'Mill 7',
      expected_message_template: 'Hello {{Agent}}, is {{reference_id}} for sale?',
      extra_variable_data: { Agent: 'Zoë' },
    });
    const blank = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\u00a0', '\u3000'), minLength: 1, maxLength: 3 });
    const wide = (letter: string) =>
      /[!-~]/.test(letter) ? String.fromCodePoint(letter.codePointAt(0)! + 0xfee0) : letter;
    const written = (letter: string) =>
      letter === ' '
        ? blank
        : fc.constantFrom(letter, letter.toUpperCase(), letter.toLowerCase(), letter.normalize('NFD'), wide(letter));
    const text = fc.tuple(blank, ...Array.from('Hello Zoë, is Mill 7 for sale?', written), blank);
    await fc.assert(
      fc.asyncProperty(text, async (letters) => {
        assert.deepEqual(await match(intro, letters.join('')), named(intro, 'EXPECTED_TEXT'));
      }),
    );
  });

  it('knows a word, a few words or a link of the text', async () => {
    const number = nextNumber();
    const [one, two] = [
      await create(number, { reference_id: 'REF-1' }),
      await create(number, { reference_id: 'Old Mill' }),
    ];
    assert.deepEqual(await match(two, 'Is (ref-1) free?'), named(one, 'REFERENCE'));
    assert.deepEqual(await match(one, 'the OLD  MILL, please'), named(two, 'REFERENCE'));
    assert.deepEqual(await match(one, `http://example.com/l/${two.shortcode}`), named(two, 'SHORTCODE'));
    assert.deepEqual(await match(two, `ref-1 is ${one.shortcode}`), named(one, 'SHORTCODE'));
    assert.deepEqual(await match(two, `ref-1 or ${two.shortcode}`), named(two, 'SHORTCODE'));
    assert.equal(await match(one, 'REF-12, mill'), undefined);
  });

  it('goes by flow, text, word, quote and latest session, in this order', async () => {
    const number = nextNumber();
    const from = '447700900200';
    const expected = await create(number, { expected_message_template: 'Hello REF-9' });
    const worded = await create(number, { reference_id: 'REF-9' });
    const [asked, latest] = [await create(number), await create(number)];
    const quoted = newId();
    const inAsked = await openSession(asked, from, { active: ago(5), reply_message: quoted });
    const inLatest = await openSession(latest, from, { active: ago(1) });
    const flowToken = inAsked.flowToken;
    const written = (text: string, more: Partial<Inbound>) => match(latest, text, { fromDigits: from, ...more });
    assert.deepEqual(await written('Hello REF-9', { flowToken, quoted }), inSession(asked, inAsked, 'FLOW_TOKEN'));
    assert.deepEqual(await written('Hello REF-9', { flowToken: 'x', quoted }), named(expected, 'EXPECTED_TEXT'));
    assert.deepEqual(await written('Hello, REF-9', { quoted }), named(worded, 'REFERENCE'));
    assert.deepEqual(await written('Hello', { quoted }), inSession(asked, inAsked, 'QUOTE'));
    assert.deepEqual(await written('Hello', { quoted: 'no uuid' }), inSession(latest, inLatest, 'OPEN_SESSION'));
  });

  it('keeps sessions to their person, their number and the time they are open', async () => {
    const number = nextNumber();
    const [intro, elsewhere] = [await create(number), await create(nextNumber())];
    const quoted = newId();
    const { uuid, flowToken } = await openSession(intro, '447700900300', { reply_message: quoted });
    const hidden = await openSession(intro, '');
    const clues = { flowToken, quoted };
    assert.equal(await match(intro, 'Hello', { ...clues, fromDigits: '447700900301' }), undefined);
    assert.equal(await match(elsewhere, 'Hello', { ...clues, fromDigits: '447700900300' }), undefined);
    assert.equal(await match(intro, '', { flowToken: hidden.flowToken, fromDigits: '' }), undefined);
    await app.deps.db.updateTable('intro_sessions').set({ open: false }).where('uuid', '=', uuid).execute();
    assert.equal(await match(intro, 'Hello', { ...clues, fromDigits: '447700900300' }), undefined);
  });

  it('prefers the link that was opened last, then the newest intro, and says that others fit', async () => {
    const number = nextNumber();
    const fields = { reference_id: 'REF-2', expected_message_template: 'About {{reference_id}}' };
    const intros = [await create(number, fields), await create(number, fields), await create(number, fields)];
    const [first, second, third] = intros as [Intro, Intro, Intro];
    const both = async (intro: Intro) => {
      assert.deepEqual(await match(intro, 'about ref-2'), named(intro, 'EXPECTED_TEXT', true));
      assert.deepEqual(await match(intro, 'now about ref-2'), named(intro, 'REFERENCE', true));
    };
    await both(third);
    await setOpenedAt(first, ago(2));
    await both(first);
    await setOpenedAt(second, ago(1));
    await both(second);
  });

  it('keeps the order of openings for intros that come to share a text or a reference later', async () => {
    const number = nextNumber();
    const fields = { reference_id: 'REF-4', expected_message_template: 'About {{reference_id}}' };
    const first = await create(number, fields);
    await setOpenedAt(first, ago(1));
    const second = await create(number, fields);
    await setOpenedAt(second, ago(2));
    const third = await create(number, { reference_id: 'REF-4b' });
    await setOpenedAt(third, ago(3));
    await app.call('PATCH', `${url}${third.uuid}/`, fields);
    const both = async (intro: Intro, tied: boolean) => {
      assert.deepEqual(await match(intro, 'about ref-4'), named(intro, 'EXPECTED_TEXT', tied));
      assert.deepEqual(await match(intro, 'now about ref-4'), named(intro, 'REFERENCE', tied));
    };
    await both(first, true);
    await app.call('DELETE', `${url}${first.uuid}/`);
    await both(second, true);
    await app.call('DELETE', `${url}${second.uuid}/`);
    await both(third, false);
  });

  it('keeps it for intros that are made at the same moment', async () => {
    const number = nextNumber();
    await create(number);
    const fields = { reference_id: 'REF-6', expected_message_template: 'About six' };
    const intros = await Promise.all(Array.from({ length: 12 }, () => create(number, fields)));
    const oldest = intros.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1))[0]!;
    await setOpenedAt(oldest, ago(1));
    assert.deepEqual(await match(oldest, 'about six'), named(oldest, 'EXPECTED_TEXT', true));
    assert.deepEqual(await match(oldest, 'ref-6'), named(oldest, 'REFERENCE', true));
  });

  it('never finds deleted intros, nor those of other numbers and accounts', async () => {
    const number = nextNumber();
    const fields = { reference_id: 'REF-3', expected_message_template: 'About three' };
    const [gone, elsewhere] = [await create(number, fields), await create(nextNumber(), fields)];
    await app.call('DELETE', `${url}${gone.uuid}/`);
    for (const text of ['About three', 'ref-3', gone.shortcode, elsewhere.shortcode]) {
      assert.equal(await match(gone, text), undefined, text);
    }
    const wanted = { chatappAccount: elsewhere.chatappAccount, text: 'ref-3', fromDigits: '447700900123' };
    assert.deepEqual(await matchInbound(app.deps.db, newId(), [wanted]), [undefined]);
  });

  it('answers in the order of the messages', async () => {
    const number = nextNumber();
    const intros = await Promise.all(['a1', 'b2', 'c3'].map((reference_id) => create(number, { reference_id })));
    const texts = ['c3', '', 'a1', 'b2?', 'd4', 'a1'];
    const { chatappAccount } = intros[0]!;
    const wanted = texts.map((text) => ({ chatappAccount, text, fromDigits: '1' }));
    const found = await matchInbound(app.deps.db, app.accountId, wanted);
    const expected = [2, undefined, 0, 1, undefined, 0].map((at) => (at === undefined ? undefined : intros[at]!.uuid));
    assert.deepEqual(
      found.map((one) => one?.chatIntro),
      expected,
    );
    assert.deepEqual(await matchInbound(app.deps.db, app.accountId, []), []);
  });

  it('takes any text', async () => {
    const intro = await create(nextNumber(), { reference_id: '.*', expected_message_template: 'مرحبا' });
    const { chatappAccount } = intro;
    assert.deepEqual(await match(intro, ' مرحبا\n'), named(intro, 'EXPECTED_TEXT'));
    assert.deepEqual(await match(intro, 'is it .* ?'), named(intro, 'REFERENCE'));
    const extremes = [
      '',
      ' \n',
      '😀👩‍👩‍👧‍👦',
      '\u202eabc',
      '%_\\',
      "'; --",
      '{"a",null}',
      'a '.repeat(32_768),
      '\ufdfa'.repeat(65_536),
    ];
    const wanted = extremes.map((text) => ({ chatappAccount, text, fromDigits: '1', flowToken: text, quoted: text }));
    assert.ok((await matchInbound(app.deps.db, app.accountId, wanted)).every((one) => one === undefined));
    const text = fc.string({ unit: anyCharacter, maxLength: 400 }).map((any) => any.replaceAll('\0', ''));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 20 }), async (texts) => {
        const batch = texts.map((text) => ({ chatappAccount, text, fromDigits: text, flowToken: text, quoted: text }));
        assert.equal((await matchInbound(app.deps.db, app.accountId, batch)).length, texts.length);
      }),
    );
  });

  it('reads a few pages for each thing it looks up, even if 10,000 intros fit', onlyPlain, async () => {
    const fields = { reference_id: 'REF-5', expected_message_template: 'About five' };
    const number = nextNumber();
    // With another of the same kind, as intros that share a text are.
    await create(number, fields);
    const intro = await create(number, fields);
    await multiply(intro, 10_000);
    await sql`vacuum analyze intro_keys`.execute(app.deps.db);
    await setOpenedAt(intro, ago(1));
    assert.deepEqual(await match(intro, 'about five'), named(intro, 'EXPECTED_TEXT', true));
    assert.deepEqual(await match(intro, 'ref-5'), named(intro, 'REFERENCE', true));
    for (const text of ['about five', `I mean ref-5, that is ${intro.shortcode}`, 'Is there anything by the sea?']) {
      const clues = cluesOf({ chatappAccount: intro.chatappAccount, text, fromDigits: '1' });
      const parameters = parametersOf(app.accountId, [clues]);
      const explain = `explain (analyze, buffers, format json) ${statement}`;
      const { rows } = await app.deps.db.executeQuery<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        CompiledQuery.raw(explain, parameters),
      );
      const { Plan } = rows[0]!['QUERY PLAN'][0];
      const pages = Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!;
      assert.ok(pages <= 5 * (clues.references.length + clues.codes.length + 4), `${pages} pages for "${text}"`);
    }
  });
});
