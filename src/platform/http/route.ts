import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Db } from '../db/connect/pool.ts';
import type { ApiError } from '../errors.ts';
import type { Networks } from '../networks.ts';
import type { Vault } from '../secrets.ts';
import type { Batches } from '../work/batches.ts';
import type { Foreground } from '../work/foreground.ts';
import type { Bound } from './access/bound.ts';
import type { StoredRow } from './entity-tags.ts';
import type { CsvForm } from './files/csv.ts';
import type { Upload } from './files/upload.ts';

/** Who is asking: resolved from the token before a handler runs. */
export interface Principal {
  tokenId: string;
  accountId: string;
  scopes: readonly string[];
  requestsPerMinute: number;
  /** Of the account, in which it writes national numbers. */
  country: string;
  /** Whether events are shown without content. */
  redactsContent?: boolean;
  /** Whether reads of content are in the audit log. */
  auditReads?: boolean;
  /** Whom the audit log names. */
  actor?: Actor;
  /** The person who signed in for it. */
  userId?: string | undefined;
  /** When whoever holds it last proved who they are; left out: it is a program's, which nobody asks. */
  signedIn?: { isSession: boolean; atMs: number };
  /** It can be used to set up a second factor, and for nothing else. */
  mustEnrol?: boolean;
  /** From where alone its token may be used; left out: from everywhere. */
  networks?: Networks;
  /** The phone numbers (digits) that its token is bound to; left out: it is bound to none. */
  resources?: ReadonlySet<string>;
  /** Why nothing is done for it, whatever it asks for. */
  refusal?: ApiError | undefined;
}

/** A person who signed in, or the token of a program. */
export interface Actor {
  type: 'USER' | 'TOKEN';
  uuid: string;
  name: string;
}

/** Who may call an operation: everybody, any token, the operator's, or one that may read or write the operation's group. */
export type Scope = 'public' | 'any' | 'operator' | `${string}:${'read' | 'write'}`;

/** What an operation asks for beside a scope. */
export interface Demands {
  /**
   * Whoever signed in must have done so, or have confirmed it, in the last ten minutes: 403 `reauthentication_required`. `session`:
   * in a browser. `person`: with a token of a person, too. Tokens of programs are not asked.
   */
  fresh?: 'session' | 'person';
  /** Also for those who have yet to set up the second factor that their account requires. */
  enrolment?: boolean;
  /** Also for tokens that are bound to some numbers, with this check; left out: they get 403 `resource_not_allowed`. */
  bound?: object;
}

export interface Answer {
  status: number;
  body?: unknown;
  /** The body, where it is JSON text already. */
  text?: string;
  headers?: Record<string, string | string[]>;
  /** The entry of the audit log that tells of the change; not sent. */
  auditEntry?: string;
}

/** What a handler is given. With an Idempotency-Key, `deps.db` is the transaction that will also store the answer. */
export interface Call<D, P, Q, B> {
  deps: D;
  principal: Principal;
  accountId: string;
  params: P;
  query: Q;
  body: B;
  /** The file of a route that declares an upload; it is gone when the handler is through, unless it was moved elsewhere. */
  upload: Upload;
  /** The address that was called, as the outside world sees it; links to further pages are made from it. */
  url(): URL;
  request: FastifyRequest;
  reply: FastifyReply;
}

type Value<S> = S extends TSchema ? Static<S> : unknown;

/** One operation: everything that the server, the validator and the OpenAPI document need to know of it. */
export interface Route<D, P extends TSchema = TSchema, Q extends TSchema = TSchema, B extends TSchema = TSchema>
  extends Demands {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  operationId: string;
  summary: string;
  description?: string;
  tag: string;
  scope: Scope;
  params?: P;
  query?: Q;
  body?: B;
  /** It takes a form with a part `file` of at most so many bytes; `body` is then the schema of the form's other fields. */
  upload?: { mostBytes: number };
  /** Success answers by status; `null` for an answer without a body. */
  responses: Record<number, TSchema | null>;
  /** What is sent to the address in a field of the request, later. */
  callback?: { field: string; body: TSchema };
  /** A list that is also to be had as a file. */
  csv?: CsvForm<Call<D, Value<P>, Value<Q>, Value<B>>>;
  /** Statuses of the DetailBody errors it may answer beyond those every operation has. */
  errors?: number[];
  /**
   * Of a GET whose object can be changed at the same address, which has an entity tag: the fields that change without anybody editing
   * the object, and the row that is locked while somebody does. `false`: what it shows is no object that is edited.
   */
  tagged?: false | { without?: readonly string[]; row?: StoredRow };
  /** It asks others over the network: no transaction is open around it, also where it has an `If-Match`. */
  asksOthers?: boolean;
  /** An example of the request body, shown in the reference and sent by the tests. */
  example?: unknown;
  /**
   * Left out: see `isAudited`. `false`: it is traffic, which the timeline has, or changes nothing. `itself`: the handler
   * writes the entry, because only there it turns out whose it is.
   */
  audit?: false | 'itself';
  /** It takes no Idempotency-Key: what it counts must stay counted when it fails. */
  unkeyed?: boolean;
  /**
   * It shows what people said. Accounts with `audit_reads` have it in the audit log: every read, or only those of the CSV file.
   */
  reads?: 'content' | 'csv';
  /** What the audit log has for the path, where that names a person. */
  auditPath?: string;
  bound?: Bound<Value<P>, Value<Q>, Value<B>>;
  handler(call: Call<D, Value<P>, Value<Q>, Value<B>>): Promise<Answer>;
}

/** Dependencies that request handling itself needs. */
export interface HttpDeps {
  db: Db;
  vault: Vault;
  batches?: Batches;
  foreground?: Foreground;
}

/** Gives a route its types: `route({ … handler: ({ body }) => … })` knows what `body` is. */
export const routeFor =
  <D>() =>
  <P extends TSchema, Q extends TSchema, B extends TSchema>(route: Route<D, P, Q, B>): Route<D> =>
    route as unknown as Route<D>;

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const created = (body: unknown): Answer => ({ status: 201, body });
export const noContent = (): Answer => ({ status: 204 });

/**
 * The groups of operations that scopes speak of. A narrow group is a part of a wide one: `chatapp:read` covers `inbox:read`, and a
 * role that is to answer people and do nothing else has `inbox:read` alone.
 */
export const scopeGroups: Readonly<Record<string, { within?: string; covers: string }>> = {
  chatapp: { covers: 'Chat messages, intros, templates, flows, media and leads' },
  inbox: { within: 'chatapp', covers: 'Conversations and messages, and the senders and templates to answer with' },
  leads: { within: 'chatapp', covers: 'Leads' },
  number: { covers: 'Numbers, their settings and webhooks' },
  voice: { covers: 'Calls, recordings and SIP trunks' },
  calls: { within: 'voice', covers: 'Calls and call records, without what was said' },
  recordings: { within: 'voice', covers: 'The audio of recordings and voicemails' },
  sms: { covers: 'SMS, senders and links' },
  routing: { covers: 'Where calls and messages go' },
  agent: { covers: 'Agents whom calls and chats go to' },
  campaigns: { covers: 'Campaigns and their launches' },
  contacts: { covers: 'Contacts and lists' },
  people: { covers: 'Everything known of one person, and erasing it' },
  optouts: { covers: 'Who wants no messages' },
  insight: { covers: 'Reports' },
  jobs: { covers: 'Long work, imports and exports' },
  webhook: { covers: 'Deliveries of webhooks' },
  account: { covers: 'Settings, webhooks, events, users, tokens, billing and the audit log' },
  users: { within: 'account', covers: 'Users, roles and invitations' },
  tokens: { within: 'account', covers: 'Tokens and sessions of the account' },
  billing: { within: 'account', covers: 'The ledger' },
  scim: { within: 'account', covers: 'Users and groups by SCIM, for identity providers' },
  audit: { within: 'account', covers: 'The audit log' },
  sandbox: { covers: 'Phones, clock and faults of the sandbox' },
};

/**
 * Whether scopes cover what an operation asks for: `inbox:read` is covered by `inbox:read`, by `chatapp:read`, of which it is a part,
 * and by `read`.
 */
export function allows(scopes: readonly string[], needed: Scope): boolean {
  if (needed === 'public' || needed === 'any' || scopes.includes(needed)) return true;
  const [group = '', action] = needed.split(':');
  if (action === undefined) return false;
  const wide = scopeGroups[group]?.within;
  return scopes.includes(action) || (wide !== undefined && scopes.includes(`${wide}:${action}`));
}

/**
 * The address that was called, as the outside world sees it: below PUBLIC_URL, whose path a proxy has taken off. Nobody is refused for a Host
 * that names none, after the work was done: links then name the machine itself.
 */
export const calledUrl = ({ url, protocol, host }: FastifyRequest, publicUrl: string): URL =>
  URL.parse((publicUrl.replace(/\/+$/, '') || `${protocol}://${host}`) + url) ?? new URL(url, 'http://localhost');

/** Another address of this server, beside the one of the API that was called. */
export function besideCalled({ origin, pathname }: URL, path: string): string {
  const api = Math.max(pathname.lastIndexOf('/v2/'), pathname.lastIndexOf('/v3/'));
  return origin + pathname.slice(0, Math.max(api, 0)) + path;
}
