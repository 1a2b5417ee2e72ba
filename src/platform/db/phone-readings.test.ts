import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, onlyPlain } from '../../../test/kit/database.ts';
import { newId } from '../ids.ts';
import { migrate, readMigrations } from './migrate.ts';

describe('numbers from before they were read with a country', onlyPlain, () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let client: pg.Client;
  const [british, american] = [newId(), newId()];
  const [sender, intro] = [newId(), newId()];
  const plain = (written: string): string => written.replace(/[^0-9]/g, '');
  const insert = (table: string, row: Record<string, unknown>) =>
    client.query(
      `insert into ${table} (${Object.keys(row).join()}) values (${Object.keys(row).map((_, place) => `$${place + 1}`)})`,
      Object.values(row),
    );
  const read = async (text: string): Promise<unknown[]> =>
    (await client.query({ text, rowMode: 'array' })).rows.map((row) => (row.length === 1 ? row[0] : row));

  const optOut = (phone_number: string, more: object = {}, account_id = british) =>
    insert('opt_outs', {
      account_id,
      uuid: newId(),
      phone_number,
      digits: plain(phone_number),
      channel: 'ALL',
      source: 'API',
      ...more,
    });
  const contact = async (phone_number: string, lists: string[], digits = plain(phone_number)): Promise<string> => {
    const uuid = newId();
    await insert('contacts', { account_id: british, uuid, phone_number, digits });
    for (const list of lists) await insert('list_members', { account_id: british, list, contact: uuid });
    return uuid;
  };
  const session = (aparty_number: string, open: boolean) =>
    insert('intro_sessions', {
      account_id: british,
      uuid: newId(),
      chat_intro: intro,
      chatapp_account: sender,
      aparty_number,
      aparty_digits: plain(aparty_number),
      status: 'STARTED',
      open,
      intro: '{}',
      variables: '{}',
      flow_token: newId(),
      started_at: new Date(),
      last_activity_at: new Date(),
    });

  before(async () => {
    database = await createTestDatabase();
    client = new pg.Client(database.connection);
    await client.connect();
  });
  after(async () => {
    await client.end();
    await database.drop();
  });

  /** A database as it was before, with nothing in it but the two accounts. */
  const goBack = async () => {
    await client.query('drop schema public cascade; create schema public');
    await client.query(`create table schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied timestamptz not null default now())`);
    for (const { version, name, checksum, text } of await readMigrations()) {
      if (version >= 50) break;
      await client.query(text);
      await insert('schema_migrations', { version, name, checksum });
    }
    await insert('accounts', { uuid: british, name: 'British', default_country: 'GB' });
    await insert('accounts', { uuid: american, name: 'American', default_country: 'US' });
  };
  beforeEach(goBack);
  const rewrite = () => migrate(database.connection, { progress: () => {} });

  test('opt-outs get their digits; those of one person become one, in earnest if any was, answered if all say so', async () => {
    const until = '2027-01-01T00:00:00.000Z';
    await optOut('07733 888881', { trial: true, answer_until: until });
    await optOut('+447733888881', { answer_until: null });
    await optOut('0044 7733 888881', { channel: 'SMS' });
    await optOut('+44 (0)7733 888882', { trial: true, answer_until: until });
    await optOut('(415) 555-2671', {}, american);
    await optOut('07733 888883', {}, american);
    await optOut('GB.1a2B3c', { digits: 'GB.1a2B3c' });
    await rewrite();
    assert.deepEqual(
      await read('select digits, channel, phone_number, trial, answer_until is null from opt_outs order by uuid'),
      [
        ['447733888881', 'ALL', '07733 888881', false, true],
        ['447733888881', 'SMS', '0044 7733 888881', false, true],
        ['447733888882', 'ALL', '+44 (0)7733 888882', true, false],
        ['14155552671', 'ALL', '(415) 555-2671', false, true],
        // There is no such number in that country.
        ['07733888883', 'ALL', '07733 888883', false, true],
        ['GB.1a2B3c', 'ALL', 'GB.1a2B3c', false, true],
      ],
    );
  });

  test('contacts of one number become the oldest, on the lists of all, and lists are counted anew', async () => {
    const [one, two, three] = [newId(), newId(), newId()];
    for (const list of [one, two, three]) {
      await insert('lists', { account_id: british, uuid: list, name: list });
      await insert('tallies', { account_id: british, subject: list, name: 'members', count: list === two ? 2 : 1 });
    }
    const oldest = await contact('+44 07733 888891', [one, two]);
    await contact('+447733888891', [two, three]);
    const alone = await contact('7733888892', []);
    // Of before the account moved to another country: read then, and right.
    const before = await contact('030 901820', [], '4930901820');
    await rewrite();
    assert.deepEqual(await read('select uuid, digits from contacts order by uuid'), [
      [oldest, '447733888891'],
      [alone, '447733888892'],
      [before, '4930901820'],
    ]);
    assert.deepEqual(
      new Set(await read('select list, contact from list_members')),
      new Set([one, two, three].map((list) => [list, oldest])),
    );
    assert.deepEqual(await read(`select distinct count::int from tallies where name = 'members'`), [1]);
  });

  test('senders, intros and their links, flows, sessions, leads, targets, agents and routing follow', async () => {
    const other = newId();
    const senderRow = (uuid: string, chatapp_number: string) =>
      insert('chatapp_accounts', {
        account_id: british,
        uuid,
        chatapp_number,
        digits: plain(chatapp_number),
        carrier: 'sandbox',
      });
    await senderRow(sender, '07700 900001');
    // Both have a history: neither becomes the other.
    await senderRow(other, '+447700900002');
    await senderRow(newId(), '07700 900002');
    await insert('links', {
      account_id: british,
      shortcode: 'abcdefgh',
      kind: 'INTRO',
      chat_intro: intro,
      chatapp_account: sender,
      chat_number: '07700 900001',
    });
    await session('07733 888881', true);
    await session('0044 7733 888881', true);
    await session('+44 (0)7733 888881', false);
    await insert('leads', {
      account_id: british,
      uuid: newId(),
      chatapp_account: sender,
      chatapp_number: '07700 900001',
      phone_number: '(07733) 888881',
      digits: '07733888881',
      name: '',
      source: '',
      data: '{}',
    });
    await insert('agents', {
      account_id: british,
      uuid: newId(),
      name: 'Ana',
      numbers: ['sip:ana@example.com', '07733 888881', '+447733888882'],
      ring: 'IN_ORDER',
    });
    const config = newId();
    await insert('routing_configs', {
      account_id: british,
      uuid: config,
      name: 'All',
      channel: 'VOICE',
      numbers: ['020 7946 0000'],
      enabled: true,
      routes: '[]',
    });
    await insert('routing_numbers', { account_id: british, channel: 'VOICE', digits: '02079460000', config });
    const everything = newId();
    await insert('routing_configs', {
      account_id: british,
      uuid: everything,
      name: 'Rest',
      channel: 'SMS',
      numbers: [],
      enabled: true,
      routes: '[]',
    });
    await insert('routing_numbers', { account_id: british, channel: 'SMS', digits: '', config: everything });
    await rewrite();
    assert.deepEqual(await read('select digits from chatapp_accounts order by digits'), [
      '07700900002',
      '447700900001',
      '447700900002',
    ]);
    assert.deepEqual(await read('select chat_number from links'), ['+447700900001']);
    assert.deepEqual(await read('select aparty_digits, open from intro_sessions order by uuid'), [
      ['447733888881', true],
      ['00447733888881', true],
      ['447733888881', false],
    ]);
    assert.deepEqual(await read('select digits from leads'), ['447733888881']);
    assert.deepEqual(await read('select number_digits from agents'), [['447733888881', '447733888882']]);
    assert.deepEqual(await read('select channel, digits, config from routing_numbers order by channel'), [
      ['SMS', '', everything],
      ['VOICE', '442079460000', config],
    ]);
  });

  test('what was sent is found by its number', async () => {
    const sent = { account_id: british, direction: 'OUTBOUND' };
    await insert('messages', {
      ...sent,
      uuid: newId(),
      chatapp_account: sender,
      type: 'TEXT',
      chatapp_number: '07700 900001',
      from_chatapp_number: '07700 900001',
      to_chatapp_number: '07733 888881',
      from_digits: '447700900001',
      to_digits: '07733888881',
      message_data: '{}',
    });
    await insert('sms', {
      ...sent,
      uuid: newId(),
      from_number: '020 7946 0000',
      to_number: '0044 7733 888881',
      from_digits: '02079460000',
      to_digits: '00447733888881',
      text: '-',
      encoding: 'GSM7',
      segments: 1,
    });
    await insert('calls', {
      ...sent,
      uuid: newId(),
      carrier: 'sandbox',
      number: '020 7946 0000',
      number_digits: '02079460000',
      from_number: '020 7946 0000',
      from_digits: '02079460000',
      to_number: '+44 (0)7733 888881',
      status: 'QUEUED',
    });
    await rewrite();
    assert.deepEqual(await read('select to_digits from messages'), ['447733888881']);
    assert.deepEqual(await read('select from_digits, to_digits from sms'), [['442079460000', '447733888881']]);
    assert.deepEqual(await read('select number_digits, from_digits, to_digits from calls'), [
      ['442079460000', '442079460000', '447733888881'],
    ]);
    assert.deepEqual(await read(`select to_regclass('phone_readings'), to_regclass('written_numbers')`), [
      [null, null],
    ]);
  });
});
