// Stands between Parley and PostgreSQL, knows which statements pass, and cuts connections at the worst moment.
import net from 'node:net';
import type { PostgresConnection } from '../../../src/platform/postgres/index.ts';

/** Where a connection is cut: before PostgreSQL sees the statement, or when it has carried it out and before its answer passes. */
export type Moment = 'before' | 'after';

export interface Cut {
  kind: string;
  moment: Moment;
  /** Which of the statements of that kind, from now on: 1 is the next one. */
  nth: number;
}

export interface DatabaseProxy {
  /** Leads here. */
  connection: PostgresConnection;
  /** The kinds of statements that have passed. */
  kinds(): string[];
  /** Cuts once; resolves when that has happened. */
  cut(cut: Cut): Promise<void>;
  /** Forgets a cut that has not happened. */
  spare(): void;
  /** Cuts all connections and takes none, until it is back. */
  goAway(): void;
  comeBack(): void;
  close(): Promise<void>;
}

export async function startDatabaseProxy(target: PostgresConnection): Promise<DatabaseProxy> {
  const seen = new Set<string>();
  const pairs = new Set<() => void>();
  let planned: (Cut & { done(): void }) | undefined;
  let isAway = false;

  /** Whether the statement that begins now is the one to be cut. */
  const isMeant = (kind: string): Moment | undefined => {
    seen.add(kind);
    if (planned?.kind !== kind || --planned.nth > 0) return undefined;
    const { moment, done } = planned;
    planned = undefined;
    done();
    return moment;
  };

  const server = net.createServer((client) => {
    if (isAway) return void client.destroy();
    const { host, port } = target;
    const upstream = host.startsWith('/') ? net.connect(`${host}/.s.PGSQL.${port}`) : net.connect(port, host);
    const end = (): void => {
      pairs.delete(end);
      client.destroy();
      upstream.destroy();
    };
    pairs.add(end);
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);

    let cutAtAnswer = false;
    const statement = readStatements((kind) => {
      const moment = isMeant(kind);
      if (moment === 'after') cutAtAnswer = true;
      return moment !== 'before';
    });
    client.on('data', (bytes: Buffer) => {
      const passing = statement(bytes);
      if (passing) upstream.write(passing);
      else end();
    });
    const answers = readMessages(false);
    upstream.on('data', (bytes: Buffer) => {
      if (!cutAtAnswer) {
        answers(bytes);
        client.write(bytes);
        return;
      }
      // ReadyForQuery: it is carried out, and committed unless it is part of a transaction.
      if (answers(bytes).some(({ type }) => type === 'Z')) end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    connection: { ...target, host: '127.0.0.1', port: (server.address() as net.AddressInfo).port },
    kinds: () => [...seen],
    cut: (cut) => new Promise((done) => (planned = { ...cut, done })),
    spare: () => {
      planned = undefined;
    },
    goAway() {
      isAway = true;
      for (const end of [...pairs]) end();
    },
    comeBack() {
      isAway = false;
    },
    async close() {
      isAway = true;
      for (const end of [...pairs]) end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Message {
  type: string;
  body: Buffer;
  bytes: Buffer;
}

/** Cuts a stream of the protocol's messages into these. The first of a client has no type. */
function readMessages(startsUntyped: boolean): (bytes: Buffer) => Message[] {
  let isUntyped = startsUntyped;
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const messages: Message[] = [];
    for (;;) {
      const head = isUntyped ? 0 : 1;
      if (rest.length < head + 4) return messages;
      const length = head + rest.readUInt32BE(head);
      if (rest.length < length) return messages;
      const whole = rest.subarray(0, length);
      messages.push({
        type: isUntyped ? '' : String.fromCharCode(whole[0]!),
        body: whole.subarray(head + 4),
        bytes: whole,
      });
      rest = rest.subarray(length);
      isUntyped = false;
    }
  };
}

/** Passes on what a client says, unless a statement begins that must not pass: then nothing more does. */
function readStatements(mayPass: (kind: string) => boolean): (bytes: Buffer) => Buffer | undefined {
  const read = readMessages(true);
  let text: string | undefined;
  return (bytes) => {
    const passing: Buffer[] = [];
    for (const { type, body, bytes: whole } of read(bytes)) {
      const strings = () => body.toString('utf8').split('\0');
      let kind: string | undefined;
      if (type === 'Q') kind = kindOf(strings()[0]!);
      // Parse: the name, empty for what is used once, and the text; Bind: the portal, and the name.
      else if (type === 'P') text = strings()[1];
      else if (type === 'B') kind = strings()[1] || kindOf(text!);
      if (kind !== undefined && !mayPass(kind)) return undefined;
      passing.push(whole);
    }
    return Buffer.concat(passing);
  };
}

/** The name that a prepared statement has, or how the text begins. */
const kindOf = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 70).toLowerCase();
