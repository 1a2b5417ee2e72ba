import pg from 'pg';
import { StartError } from '../../errors.ts';
import { noteDatabaseError } from './failure.ts';

/** Where the database is: the embedded server's parts, or URLs of the operator's own. */
export type Connection = EmbeddedServer | OwnServer;

export interface EmbeddedServer {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

export interface OwnServer {
  connectionString: string;
  /** The servers, where the URL names several. */
  hosts?: Hosts;
  /** A pooler such as PgBouncer hands out another server connection for each transaction: nothing can be kept on one. */
  isPooled?: boolean;
  /** The server itself, behind the pooler: for what needs a session. */
  direct?: OwnServer;
  /** A copy to read from, which is a little behind: one server, since one connection asks how far it is and another one reads. */
  replica?: OwnServer;
}

interface Urls {
  DATABASE_URL: string;
  DATABASE_DIRECT_URL: string;
  DATABASE_READ_URL: string;
}

/** The operator's own database. */
export function connectionOf({ DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_READ_URL }: Urls): OwnServer {
  return {
    ...primaryOf('DATABASE_URL', DATABASE_URL),
    ...(DATABASE_DIRECT_URL !== '' && {
      isPooled: true,
      direct: primaryOf('DATABASE_DIRECT_URL', DATABASE_DIRECT_URL),
    }),
    ...(DATABASE_READ_URL !== '' && { replica: replicaOf(DATABASE_READ_URL) }),
  };
}

/**
 * The connection that bypasses a pooler: for the session that listens, for tasks and for migrations, which keep something on
 * theirs.
 */
export const directOf = (connection: Connection): Connection =>
  'connectionString' in connection ? (connection.direct ?? connection) : connection;

const replicaOf = (url: string): OwnServer => ({ connectionString: oneHost('DATABASE_READ_URL', url) });

function primaryOf(name: string, url: string): OwnServer {
  const wanted = sessionWanted(url);
  if (wanted !== undefined && !['any', 'read-write', 'primary'].includes(wanted)) {
    throw new StartError(
      `${name}: target_session_attrs=${wanted} leads to a server that takes no writes. Use read-write.`,
    );
  }
  const hosts = hostsOf(url);
  if (hosts.length === 1) return { connectionString: wanted === undefined ? url : withHost(url, hosts[0]!) };
  const optionsOf = (host: (typeof hosts)[number]): pg.ClientConfig => ({ connectionString: withHost(url, host) });
  return { connectionString: withHost(url, hosts[0]!), hosts: makeHosts(hosts, optionsOf) };
}

function oneHost(name: string, url: string): string {
  const hosts = hostsOf(url);
  if (hosts.length > 1) {
    throw new StartError(
      `${name} names several servers. Name one, and no balancer over several: another one may be further behind.`,
    );
  }
  return sessionWanted(url) === undefined ? url : withHost(url, hosts[0]!);
}

/** The servers that a DATABASE_URL names: at most one of them takes writes at a time, and after a failover it is another one. */
export interface Hosts {
  /** The one that takes writes. Throws when none does. */
  primary(): Promise<Host>;
  /** To be called when a server is gone or takes no writes any more: the next call looks again. */
  isNot(host: Host): void;
  /** To be called when a server does not answer: looks again by itself. */
  doubt(): void;
  /**
   * To be called when a connection was opened. It is cut as soon as another server is found to take writes: a server that vanished,
   * or a pooler before one, says nothing for minutes. Answers a function to call when the connection has ended.
   */
  joined(host: Host, cut: () => void): () => void;
}

export interface Host {
  host: string;
  port: number;
}

/** How long to wait for one server while others do not answer: shorter than a connection is waited for. */
const answerMs = 3_000;
/**
 * After one server that takes writes is found, wait this long for another that says so, too: the old primary, if nobody has stopped
 * it.
 */
const graceMs = 500;
const usualPort = 5432;

const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;

/** The URL's hosts; libpq's way to write several: `host1:5432,host2:5433`. */
export function hostsOf(url: string): Host[] {
  const [, , written = ''] = parts.exec(url) ?? [];
  return written.split(',').map((one) => {
    const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(one) ?? ['', one];
    return { host: decodeURIComponent(host.replace(/^\[|\]$/g, '')), port: port ? Number(port) : usualPort };
  });
}

/** The same URL with one host, and without parameters that the driver does not know. */
export function withHost(url: string, { host, port }: Host): string {
  const [, before = '', , after = ''] = parts.exec(url) ?? [];
  const rest = after.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_, start, end) => (end ? start : ''));
  return `${before}${host.includes(':') ? `[${host}]` : encodeURIComponent(host)}:${port}${rest}`;
}

/** What the URL asks of a session; libpq's word. */
export const sessionWanted = (url: string): string | undefined => /[?&]target_session_attrs=([^&#]*)/.exec(url)?.[1];

function makeHosts(hosts: Host[], options: (host: Host) => pg.ClientConfig): Hosts {
  let known: Host | undefined;
  let looking: Promise<Host> | undefined;
  const connections = new Map<() => void, Host>();

  async function look(): Promise<Host> {
    const found: Writable[] = [];
    const failures: unknown[] = [];
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    let grace: NodeJS.Timeout | undefined;
    const asked = hosts.map((host) =>
      timelineOf(options(host)).then(
        (timeline) => {
          if (timeline === undefined) return;
          found.push({ host, timeline });
          grace ??= setTimeout(resolve, graceMs);
        },
        (error: unknown) => void failures.push(error),
      ),
    );
    await Promise.race([Promise.all(asked), enough]);
    clearTimeout(grace);
    // Of two that take writes, the one that was promoted later is the primary.
    const [newest] = found.sort((one, other) => (one.timeline < other.timeline ? 1 : -1));
    if (newest) return newest.host;
    throw failures[0] ?? Object.assign(new Error('Every server of DATABASE_URL is a standby.'), { code: '25006' });
  }

  async function find(): Promise<Host> {
    try {
      const found = await look();
      for (const [cut, host] of connections) if (!isSame(host, found)) cut();
      known = found;
      return found;
    } catch (error) {
      noteDatabaseError(error);
      throw error;
    } finally {
      looking = undefined;
    }
  }

  return {
    async primary() {
      if (known) return known;
      looking ??= find();
      return looking;
    },
    isNot(host) {
      if (known && isSame(known, host)) known = undefined;
    },
    doubt() {
      known = undefined;
      looking ??= find();
      looking.catch(() => {});
    },
    joined(host, cut) {
      connections.set(cut, host);
      return () => void connections.delete(cut);
    },
  };
}

const isSame = (one: Host, other: Host): boolean => one.host === other.host && one.port === other.port;

interface Writable {
  host: Host;
  timeline: string;
}

/** The timeline that a server writes, which goes up with each promotion; undefined: it takes no writes. */
async function timelineOf(options: pg.ClientConfig): Promise<string | undefined> {
  const client = new pg.Client({ ...options, connectionTimeoutMillis: answerMs, query_timeout: answerMs });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query(`
      select case when current_setting('transaction_read_only') = 'off' and not pg_is_in_recovery()
        then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`);
    return rows[0].timeline ?? undefined;
  } finally {
    // Not awaited: a server that does not answer does not say goodbye, either.
    client.end().catch(() => {});
  }
}
