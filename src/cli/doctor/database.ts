import type pg from 'pg';
import { aliveText } from '../../platform/db/connect/listener.ts';
import { findPending, type Migration, readMigrations } from '../../platform/db/migrate.ts';
import { StartError } from '../../platform/errors.ts';
import { makeVault, Unreadable } from '../../platform/secrets.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const oldestSupported = 15;
const lateMs = 5_000;
const wrongMs = 60_000;

interface ServerRow {
  version: string;
  major: number;
  now: number;
  read_only: boolean;
  encoding: string;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  connections: number;
  most: number;
}

/** The server: version, settings on which nothing accepted is lost, room for connections, and its clock beside ours. */
export async function checkServer(client: pg.Client): Promise<Finding[]> {
  const askedMs = Date.now();
  const { rows } = await client.query<ServerRow>(`
    select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now, pg_is_in_recovery() or current_setting('transaction_read_only')::bool as read_only,
      pg_encoding_to_char(encoding) as encoding, current_setting('fsync') as fsync,
      current_setting('full_page_writes') as full_page_writes, current_setting('synchronous_commit') as synchronous_commit,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::int as most
    from pg_database where datname = current_database()`);
  const answeredMs = Date.now();
  const server = rows[0]!;
  const check = 'database';
  const found: Finding[] = [];
  if (server.major < oldestSupported)
    found.push(problem(check, `PostgreSQL ${server.version} is too old.`, `Use ${oldestSupported} or newer.`));
  if (server.read_only)
    found.push(
      problem(
        check,
        'The server takes no writes: it is a standby, or set to read only.',
        'Set DATABASE_URL to the primary.',
      ),
    );
  if (server.encoding !== 'UTF8')
    found.push(problem(check, `The encoding of the database is ${server.encoding}.`, 'Make one with UTF8.'));
  for (const name of ['fsync', 'full_page_writes'] as const) {
    if (server[name] === 'off')
      found.push(problem(check, `${name} is off: a crash of the machine destroys the database.`, `Set ${name} = on.`));
  }
  if (server.synchronous_commit === 'off') {
    found.push(
      problem(
        check,
        'synchronous_commit is off: what was accepted last is lost in a crash.',
        'Set synchronous_commit = on.',
      ),
    );
  }
  if (server.connections > server.most * 0.9) {
    found.push(
      warning(
        check,
        `${server.connections} of ${server.most} connections are in use.`,
        'Raise max_connections, or put PgBouncer in front.',
      ),
    );
  }
  if (found.length === 0)
    found.push(ok(check, `PostgreSQL ${server.version}, ${server.connections} of ${server.most} connections in use.`));
  return [...found, clockFinding(server.now, askedMs, answeredMs)];
}

function clockFinding(databaseMs: number, askedMs: number, answeredMs: number): Finding {
  // It may have looked at its clock at any moment between the two.
  const offMs = databaseMs < askedMs ? askedMs - databaseMs : Math.max(0, databaseMs - answeredMs);
  const text = `The clock of this machine and that of the database differ by ${(offMs / 1000).toFixed(1)} s.`;
  const advice = 'Run an NTP client, such as chrony, on both.';
  if (offMs >= wrongMs) return problem('clock', text, advice);
  return offMs >= lateMs ? warning('clock', text, advice) : ok('clock', text);
}

/** Whether the schema is that of this version. */
export async function checkMigrations(client: pg.Client): Promise<Finding[]> {
  const check = 'migrations';
  const { rows } = await client.query<{ is_there: boolean }>(
    `select to_regclass('schema_migrations') is not null as is_there`,
  );
  if (!rows[0]?.is_there) return [ok(check, 'The database is empty; the first start fills it.')];
  const applied = (await client.query<Migration>('select * from schema_migrations')).rows;
  try {
    const pending = findPending(await readMigrations(), applied);
    if (pending.length === 0) return [ok(check, `All ${applied.length} are applied.`)];
    return [
      warning(
        check,
        `${pending.length} are not applied yet.`,
        'The next start applies them, or `parley migrate`. Make a backup before.',
      ),
    ];
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return [problem(check, error.message, 'Start the version that the database was last used with, or a newer one.')];
  }
}

/** Whether stored secrets can be read with this ring. */
export async function checkKey(client: pg.Client, secretKeys: readonly string[]): Promise<Finding[]> {
  const check = 'secret_key';
  const { rows } = await client.query<{ sealed: string }>('select sealed from secret_key_check');
  if (rows.length === 0) return [];
  if (secretKeys.length === 0)
    return [
      problem(
        check,
        'There is no SECRET_KEY and no DATA_DIR/secret-key, and secrets are stored.',
        'Set the one that the server has.',
      ),
    ];
  const { ring, open } = makeVault(secretKeys);
  const { rows: wrappers } = await client.query<{ id: string }>(
    'select distinct wrapped_by as id from data_keys where lost is null',
  );
  const missing = wrappers.filter(({ id }) => !ring.some((key) => key.id === id));
  try {
    open(rows[0]!.sealed);
    if (missing.length === 0) return [ok(check, 'Stored secrets can be decrypted.')];
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
  }
  return [
    problem(
      check,
      'Stored secrets were encrypted with another SECRET_KEY.',
      'Set that one; if it is lost, see SECRET_KEY_CHANGED in .env.example.',
    ),
  ];
}

/** The processes that serve this database now. */
export async function checkProcesses(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ host: string; version: string; roles: string[] }>(
    `select host, version, roles from processes where worker in (${aliveText})`,
  );
  if (rows.length === 0) return [ok('processes', 'No process serves this database now.')];
  const versions = [...new Set(rows.map(({ version }) => version))];
  const text = `${rows.length} on ${new Set(rows.map(({ host }) => host)).size} hosts, version ${versions.join(', ')}.`;
  if (versions.length > 1) return [warning('processes', text, 'Finish the upgrade.')];
  const missing = ['api', 'worker', 'connector'].filter((role) => !rows.some(({ roles }) => roles.includes(role)));
  if (missing.length > 0)
    return [
      warning(
        'processes',
        `No process has the role ${missing.join(', ')}.`,
        'Start one; without it nothing of that kind is done.',
      ),
    ];
  return [ok('processes', text)];
}

/** Beyond this the archive is not written, or the disk that it is on is too slow. */
const mostBehindBytes = 256 * 1024 * 1024;

/** The WAL archive of the embedded PostgreSQL: whether the server writes it, and how much it lacks. */
export async function checkWalArchive(client: pg.Client, directory: string): Promise<Finding[]> {
  if (directory === '') return [];
  const { rows } = await client.query<{ active: boolean; is_lost: boolean; behind: number }>(
    `select active, wal_status = 'lost' as is_lost, coalesce(pg_current_wal_lsn() - restart_lsn, 0)::float8 as behind
       from pg_replication_slots where starts_with(slot_name, 'parley_wal_')`,
  );
  const [slot] = rows;
  const check = 'wal_archive';
  if (!slot)
    return [
      warning(check, `Nothing is written to WAL_ARCHIVE=${directory}.`, 'Start the server again with this setting.'),
    ];
  const behind = `${Math.ceil(slot.behind / 1_000_000)} MB`;
  if (slot.is_lost)
    return [problem(check, 'The WAL archive has a gap.', 'See that WAL_ARCHIVE can be written, and make a backup.')];
  if (!slot.active || slot.behind > mostBehindBytes)
    return [
      problem(
        check,
        `The WAL archive lacks ${behind}.`,
        `See that ${directory} can be written; the server says why not.`,
      ),
    ];
  return [ok(check, `The WAL archive lacks ${behind} at most.`)];
}

interface LinkRow {
  kind: 'SMS link' | 'SIP trunk';
  account: string;
  name: string;
  host: string | null;
  is_leased: boolean;
  registers: boolean;
  report: { state?: string; lastError?: string };
}

export interface CheckedLinks {
  findings: Finding[];
  /** What they connect to, and what for. */
  hosts: Map<string, string>;
  hasTrunks: boolean;
}

const mostNamed = 20;

/** The links over SMPP and the SIP trunks of all accounts, as the processes that have their leases told last. */
export async function checkLinks(client: pg.Client, isServed: boolean): Promise<CheckedLinks> {
  const { rows } = await client.query<LinkRow>(`
    select 'SMS link' as kind, accounts.name as account, link.name, link.settings->>'host' as host, true as registers,
      link.owner in (${aliveText}) as is_leased, link.report
    from sms_links as link join accounts on accounts.uuid = link.account_id
    where link.enabled and link.carrier <> 'sandbox'
    union all
    select 'SIP trunk', accounts.name, trunk.name, trunk.host, trunk.register,
      coalesce(state.owner in (${aliveText}), false), coalesce(state.report, '{}')
    from sip_trunks as trunk join accounts on accounts.uuid = trunk.account_id
      left join sip_trunk_states as state on state.account_id = trunk.account_id and state.trunk = trunk.uuid
    where trunk.enabled`);
  const hosts = new Map<string, string>();
  for (const { kind, name, host } of rows) if (host) hosts.set(host, `${kind} ${name}`);
  const hasTrunks = rows.some(({ kind }) => kind === 'SIP trunk');
  if (!isServed) return { findings: [], hosts, hasTrunks };
  // A trunk that is not registered has nothing to report.
  const down = rows.filter(
    ({ is_leased, registers, report: { state } }) => !is_leased || (state === undefined ? registers : state !== 'UP'),
  );
  const findings = down.slice(0, mostNamed).map(({ kind, account, name, is_leased, report }) => {
    const { state = 'DOWN', lastError } = report;
    const nothing = report.state === undefined ? 'it has reported nothing yet' : 'no reason given';
    const why = is_leased ? (lastError ?? nothing) : 'no process has it';
    return problem(
      'links',
      `${kind} "${name}" of "${account}" is ${is_leased ? state : 'DOWN'}: ${why}.`,
      adviceFor(why),
    );
  });
  if (down.length > mostNamed)
    findings.push(problem('links', `${down.length - mostNamed} more are down.`, 'Repair the first ones first.'));
  if (rows.length > 0 && down.length === 0) findings.push(ok('links', `All ${rows.length} are up.`));
  return { findings, hosts, hasTrunks };
}

function adviceFor(why: string): string {
  if (/no process/.test(why)) return 'Start a process with the role connector.';
  if (/password|system_id|authenti|40[137]\b|bind/i.test(why))
    return 'Check user name and password with your carrier, and whether your address is allowed there.';
  if (/refused|timed out|timeout|unreach|ECONN|EHOST/i.test(why))
    return 'Check host and port, your firewall, and whether your address is allowed there.';
  return 'Ask your carrier what it sees.';
}
