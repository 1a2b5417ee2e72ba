import type pg from 'pg';
import { readPhone } from '../phone.ts';

const batchSize = 10_000;

/**
 * The part of migration 50 that SQL cannot do: notes of every spelling that means something else than its digits say what it means
 * in the country of its account. Runs in the migration's transaction.
 */
export async function readWrittenNumbers(client: pg.Client): Promise<void> {
  // What begins with a plus and has nothing but digits, none of them a zero behind the country, means what it says.
  await client.query(`declare spellings no scroll cursor for
    select distinct account_id, country, written from written_numbers
    where written ~ '\\d' and written !~ '[[:alpha:]]' and written !~ '^\\+[1-9](?!\\d{0,2}0)\\d*$'`);
  for (;;) {
    const { rows } = await client.query<Spelling>(`fetch ${batchSize} from spellings`);
    if (rows.length === 0) break;
    const readings = rows.flatMap(({ account_id, country, written }) => {
      const [plain, digits] = [written.replace(/[^0-9]/g, ''), readPhone(written, country)];
      return digits === plain ? [] : [{ account_id, written, plain, digits }];
    });
    await client.query(
      `insert into phone_readings (account_id, written, plain, digits)
      select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[])`,
      (['account_id', 'written', 'plain', 'digits'] as const).map((name) => readings.map((reading) => reading[name])),
    );
  }
  await client.query('close spellings');
}

interface Spelling {
  account_id: string;
  country: string;
  written: string;
}
