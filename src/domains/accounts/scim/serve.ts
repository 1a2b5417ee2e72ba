import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { ApiError, ValidationError } from '../../../platform/errors.ts';
import type { Gate } from '../../../platform/http/access/gate.ts';
import { insertAuditEntries } from '../../../platform/http/audit.ts';
import { asApiError } from '../../../platform/http/error-reply.ts';
import type { Actor, Principal } from '../../../platform/http/route.ts';
import { serverOf } from '../sso/schemas.ts';
import { findUser, type UserRow } from '../users/queries.ts';
import { listOf, resourceTypes, schemas, serviceProviderConfig } from './about.ts';
import { changeGroup, createGroup, deleteGroup } from './groups.ts';
import { applyPatch, errorBody, readWindow, ScimError } from './protocol.ts';
import {
  findGroup,
  type GroupRow,
  groupAttributes,
  listGroupsOfUsers,
  listGroupsWindow,
  listMembersOfGroups,
  listUsersWindow,
  userAttributes,
} from './queries.ts';
import { presentGroup, presentUser } from './resources.ts';
import { changeScimUser, createScimUser, deleteScimUser } from './users.ts';

const scimType = 'application/scim+json; charset=utf-8';
const scimScope = 'scim:write';

/** Who asks, for the audit log. */
export interface Caller {
  accountId: string;
  actor: Actor;
  request: FastifyRequest;
}

export interface ScimMeans {
  gate: Gate;
  onUse(principal: Principal, request: FastifyRequest): void;
}

type Request = FastifyRequest<{ Params: { id: string }; Querystring: Record<string, unknown> }>;
type Work = (caller: Caller, request: Request) => Promise<{ status: number; body?: object; location?: string }>;

/** Serves SCIM 2.0 (RFC 7644), by which identity providers keep users and groups up to date: bodies and errors are SCIM's own. */
export function serveScim(app: FastifyInstance, deps: Deps, { gate, onUse }: ScimMeans): void {
  const baseOf = (request: FastifyRequest): string => `${serverOf(deps, request)}/scim/v2`;

  const answer = async (request: Request, reply: FastifyReply, work: Work): Promise<FastifyReply> => {
    const { principal } = request;
    const isProgram = principal !== undefined && principal.signedIn === undefined && principal.actor !== undefined;
    // A scope of its own: whoever may do everything else cannot do this by the way.
    if (!isProgram || !principal.scopes.includes(scimScope)) throw new ApiError('permission_denied');
    onUse(principal, request);
    const caller = { accountId: principal.accountId, actor: principal.actor!, request };
    const { status, body, location } = await work(caller, request);
    if (location) reply.header('location', location);
    return reply
      .code(status)
      .type(scimType)
      .send(body === undefined ? undefined : JSON.stringify(body));
  };

  const audit = (caller: Caller, [operationId, summary]: [string, string], status: number): Promise<void> => {
    const method = caller.request.method as 'POST' | 'PUT' | 'PATCH' | 'DELETE';
    const { accountId, actor, request } = caller;
    return insertAuditEntries(deps.db, [
      { accountId, actor, operation: { operationId, summary, method }, request, status },
    ]);
  };

  const showUser = async ({ accountId, request }: Caller, row: UserRow) =>
    presentUser(row, await listGroupsOfUsers(deps.db, accountId, [row.uuid]), baseOf(request));
  const showGroup = async ({ accountId, request }: Caller, row: GroupRow) =>
    presentGroup(row, await listMembersOfGroups(deps.db, accountId, [row.uuid]), baseOf(request));

  const users: Record<string, Work> = {
    async list({ accountId, request }, { query }) {
      const window = readWindow(query, userAttributes);
      const { total, rows } = await listUsersWindow(deps.db, accountId, window);
      const uuids = rows.map(({ uuid }) => uuid);
      const groups = await listGroupsOfUsers(deps.db, accountId, uuids);
      const groupsOf = ({ uuid }: UserRow) => groups.filter(({ user_uuid }) => user_uuid === uuid);
      const resources = rows.map((row) => presentUser(row, groupsOf(row), baseOf(request)));
      return { status: 200, body: listOf(resources, { total, startIndex: window.startIndex }) };
    },
    async get(caller, { params }) {
      const row = await findUser(deps.db, caller.accountId, idOf(params.id, 'user'));
      if (!row) throw new ScimError(404, 'There is no such user.');
      return { status: 200, body: await showUser(caller, row) };
    },
    async create(caller, { body }) {
      const row = await createScimUser(deps, caller.accountId, body);
      await audit(caller, ['createUser', 'Create a user by SCIM'], 201);
      return {
        status: 201,
        body: await showUser(caller, row),
        location: `${baseOf(caller.request)}/Users/${row.uuid}`,
      };
    },
    async replace(caller, { params, body }) {
      const uuid = idOf(params.id, 'user');
      const row = await changeScimUser(deps, caller.accountId, { uuid, change: async () => body });
      await audit(caller, ['updateUser', 'Change a user by SCIM'], 200);
      return { status: 200, body: await showUser(caller, row) };
    },
    async patch(caller, { params, body }) {
      const uuid = idOf(params.id, 'user');
      const change = async (_: unknown, user: UserRow) => applyPatch(presentUser(user, [], ''), body);
      const row = await changeScimUser(deps, caller.accountId, { uuid, change });
      await audit(caller, ['updateUser', 'Change a user by SCIM'], 200);
      return { status: 200, body: await showUser(caller, row) };
    },
    async remove(caller, { params }) {
      await deleteScimUser(deps, caller.accountId, idOf(params.id, 'user'));
      await audit(caller, ['deleteUser', 'Delete a user by SCIM'], 204);
      return { status: 204 };
    },
  };

  const groups: Record<string, Work> = {
    async list({ accountId, request }, { query }) {
      const window = readWindow(query, groupAttributes);
      const { total, rows } = await listGroupsWindow(deps.db, accountId, window);
      const uuids = rows.map(({ uuid }) => uuid);
      const all = window.withoutMembers ? undefined : await listMembersOfGroups(deps.db, accountId, uuids);
      const resources = rows.map((row) =>
        presentGroup(
          row,
          all?.filter(({ group_uuid }) => group_uuid === row.uuid),
          baseOf(request),
        ),
      );
      return { status: 200, body: listOf(resources, { total, startIndex: window.startIndex }) };
    },
    async get(caller, { params, query }) {
      const row = await findGroup(deps.db, caller.accountId, idOf(params.id, 'group'));
      if (!row) throw new ScimError(404, 'There is no such group.');
      const { withoutMembers } = readWindow({ excludedAttributes: query['excludedAttributes'] }, []);
      const body = withoutMembers ? presentGroup(row, undefined, baseOf(caller.request)) : await showGroup(caller, row);
      return { status: 200, body };
    },
    async create(caller, { body }) {
      const row = await createGroup(deps, caller, body);
      await audit(caller, ['createScimGroup', 'Create a group by SCIM'], 201);
      return {
        status: 201,
        body: await showGroup(caller, row),
        location: `${baseOf(caller.request)}/Groups/${row.uuid}`,
      };
    },
    async replace(caller, { params, body }) {
      const row = await changeGroup(deps, caller, { uuid: idOf(params.id, 'group'), change: async () => body });
      await audit(caller, ['updateScimGroup', 'Change a group by SCIM'], 200);
      return { status: 200, body: await showGroup(caller, row) };
    },
    async patch(caller, { params, body }) {
      const row = await changeGroup(deps, caller, {
        uuid: idOf(params.id, 'group'),
        change: async (db, group) => {
          const members = await listMembersOfGroups(db, caller.accountId, [group.uuid]);
          return applyPatch(presentGroup(group, members, ''), body);
        },
      });
      await audit(caller, ['updateScimGroup', 'Change a group by SCIM'], 200);
      return { status: 200, body: await showGroup(caller, row) };
    },
    async remove(caller, { params }) {
      await deleteGroup(deps, caller, idOf(params.id, 'group'));
      await audit(caller, ['deleteScimGroup', 'Delete a group by SCIM'], 204);
      return { status: 204 };
    },
  };

  const about =
    (show: (base: string) => object): Work =>
    async ({ request }) => ({ status: 200, body: show(baseOf(request)) });
  const oneOf =
    (show: (base: string) => { id: string }[]): Work =>
    async ({ request }, { params }) => {
      const found = show(baseOf(request)).find(({ id }) => id === params.id);
      if (!found) throw new ScimError(404, 'There is no such resource.');
      return { status: 200, body: found };
    };

  app.register(
    async (scope) => {
      scope.addContentTypeParser(/^application\/scim\+json/, { parseAs: 'buffer' }, (_request, raw: Buffer, done) => {
        try {
          done(null, raw.length === 0 ? {} : JSON.parse(raw.toString('utf8')));
        } catch {
          done(new ScimError(400, 'The body is not valid JSON.', 'invalidSyntax'));
        }
      });
      scope.setErrorHandler((error, request, reply) => replyWith(error, request, reply, deps));
      scope.setNotFoundHandler((request, reply) => replyWith(new ScimError(404, 'Not found.'), request, reply, deps));
      const onRequest = gate(scimScope);
      const serve = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, work: Work): void => {
        scope.route({ method, url, onRequest, handler: (request, reply) => answer(request as Request, reply, work) });
      };
      serve('GET', '/ServiceProviderConfig', about(serviceProviderConfig));
      serve(
        'GET',
        '/ResourceTypes',
        about((base) => listOf(resourceTypes(base))),
      );
      serve('GET', '/ResourceTypes/:id', oneOf(resourceTypes));
      serve(
        'GET',
        '/Schemas',
        about((base) => listOf(schemas(base))),
      );
      serve('GET', '/Schemas/:id', oneOf(schemas));
      for (const [url, works] of Object.entries({ '/Users': users, '/Groups': groups })) {
        serve('GET', url, works['list']!);
        serve('POST', url, works['create']!);
        serve('GET', `${url}/:id`, works['get']!);
        serve('PUT', `${url}/:id`, works['replace']!);
        serve('PATCH', `${url}/:id`, works['patch']!);
        serve('DELETE', `${url}/:id`, works['remove']!);
      }
    },
    { prefix: '/scim/v2' },
  );
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function idOf(id: string, what: string): string {
  if (!uuid.test(id)) throw new ScimError(404, `There is no such ${what}.`);
  return id.toLowerCase();
}

/** Errors in the words of SCIM; what nobody foresaw is logged whole and answered without its insides. */
function replyWith(error: unknown, request: FastifyRequest, reply: FastifyReply, { log }: Deps): void {
  const { status, detail, type, headers = {} } = saidOf(error, request, log);
  reply
    .headers(headers)
    .code(status)
    .type(scimType)
    .send(JSON.stringify(errorBody(status, detail, type)));
}

function saidOf(
  error: unknown,
  request: FastifyRequest,
  log: Deps['log'],
): { status: number; detail: string; type?: ScimError['scimType']; headers?: Record<string, string> } {
  if (error instanceof ScimError) return { status: error.status, detail: error.message, type: error.scimType };
  if (error instanceof ValidationError)
    return { status: 400, detail: JSON.stringify(error.errors), type: 'invalidValue' };
  const known = asApiError(error, request, log);
  if (known) return { status: known.status, detail: known.message, headers: known.headers };
  log.error(
    { err: error, requestId: request.id, method: request.method, url: request.routeOptions.url },
    'Unexpected error',
  );
  return {
    status: 500,
    detail: `An unexpected error occurred. Quote the request id ${request.id} when you report it.`,
  };
}
