import type pg from 'pg';
import { StartError } from '../../process/start-error.ts';
import { type Hosts, hostsOf, makeHosts, sessionWanted, withHost } from './hosts.ts';

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
  /** Where the URL names several. */
  hosts?: Hosts;
  /** A pooler such as PgBouncer hands out another server connection for each transaction: nothing can be kept on one. */
  isPooled?: boolean;
  /** The server itself, behind the pooler: for what needs a session. */
  direct?: OwnServer;
  /** A copy to read from, which is a little behind. */
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

/** The session that listens, tasks and migrations need a connection that stays theirs. */
export const directOf = (connection: Connection): Connection =>
  'connectionString' in connection ? (connection.direct ?? connection) : connection;

export const replicaOf = (url: string): OwnServer => ({ connectionString: oneHost('DATABASE_READ_URL', url) });

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
  if (hosts.length > 1) throw new StartError(`${name} names several servers. Name one, or a proxy in front of them.`);
  return sessionWanted(url) === undefined ? url : withHost(url, hosts[0]!);
}
