import type { FastifyInstance, FastifyRequest } from 'fastify';
import { putStatus } from '../flows/flows.ts';
import type { Fields } from '../graph/checks.ts';
import { actOnPerson } from '../people/actions.ts';
import type { Received } from '../server.ts';
import type { Sim } from '../sim.ts';
import { shuffled } from '../webhooks/webhooks.ts';
import type { Flow, Message, PersonBehaviour, PhoneNumber, Template, TemplateStatus } from '../world.ts';
import { controlsOf } from './controls.ts';
import type { Fault } from './faults.ts';

type Params = Record<string, string>;

const bodyOf = (request: FastifyRequest): Fields => {
  const bytes = request.body as Buffer | undefined;
  const body: unknown = bytes?.length ? JSON.parse(bytes.toString('utf8')) : {};
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Error('The body must be a JSON object.');
  return body as Fields;
};

/** `/_simulator/…`: the same controls as in code, for a simulator that runs on its own. Fields are named as in code. */
export function mountControl(app: FastifyInstance, sim: Sim, received: Received[]): void {
  app.register(
    async (scope) => {
      scope.setErrorHandler((error, _request, reply) => reply.code(400).send({ error: (error as Error).message }));
      mountWorld(scope, sim);
      mountPeople(scope, sim);
      mountFaults(scope, sim);
      mountRecords(scope, sim, received);
    },
    { prefix: '/_simulator' },
  );
}

function mountWorld(app: FastifyInstance, sim: Sim): void {
  const { world, settings } = sim;
  const controls = controlsOf(sim);
  app.get('/', () => ({
    time: sim.time.now(),
    settings,
    callback: world.app.callback,
    accounts: [...world.accounts.values()],
    numbers: [...world.numbers.values()].map(showNumber),
    templates: [...world.templates.values()],
    flows: [...world.flows.values()],
    people: [...world.people.values()],
  }));
  app.patch('/settings', (request) => assign(settings, bodyOf(request)));
  app.post('/accounts', (request) => controls.addAccount(bodyOf(request)));
  app.patch('/accounts/:id', (request) =>
    assign(world.accounts.get((request.params as Params)['id']!), bodyOf(request)),
  );
  app.post('/numbers', (request) => {
    const { phone, ...number } = bodyOf(request);
    return showNumber(controls.addNumber(String(phone), number as Partial<PhoneNumber>));
  });
  app.patch('/numbers/:id', (request) => {
    return showNumber(assign(world.numbers.get((request.params as Params)['id']!), bodyOf(request)));
  });
  app.post('/templates', (request) => controls.addTemplate(bodyOf(request) as unknown as Template));
  app.post('/templates/:id', (request) => {
    const { id } = request.params as { id: string };
    const { status, reason, quality, category } = bodyOf(request) as Record<string, string | undefined>;
    if (status) controls.decideTemplate(id, status as TemplateStatus, reason);
    if (quality) controls.changeTemplateQuality(id, quality as Template['quality']);
    if (category) controls.changeTemplateCategory(id, category);
    return world.templates.get(id);
  });
  app.post('/flows/:id', (request) => {
    const flow = flowOf(sim, request);
    putStatus(sim, flow, bodyOf(request)['status'] as Flow['status']);
    return flow;
  });
  app.get('/flows/:id/flow.json', (request, reply) => reply.type('application/json').send(flowOf(sim, request).json));
  app.post('/tokens', (request) => {
    const { token, expired = false } = bodyOf(request);
    world.tokens.set(String(token), { expired: Boolean(expired) });
    return { token, expired };
  });
  app.post('/clock', (request) => {
    controls.advance(Number(bodyOf(request)['advanceMs']));
    return { time: sim.time.now() };
  });
}

const showNumber = (number: PhoneNumber) => ({ ...number, blocked: [...number.blocked] });

function flowOf({ world }: Sim, request: FastifyRequest): Flow {
  const flow = world.flows.get((request.params as Params)['id']!);
  if (!flow) throw new Error('There is no such flow.');
  return flow;
}

/** Changes what is there; a name that is not is a mistake worth hearing of. */
function assign<T extends object>(target: T | undefined, changes: Fields): T {
  if (!target) throw new Error('There is no such thing.');
  const unknown = Object.keys(changes).find((key) => !(key in target));
  if (unknown !== undefined) throw new Error(`There is no "${unknown}"; there are: ${Object.keys(target).join(', ')}.`);
  return Object.assign(target, changes);
}

function mountPeople(app: FastifyInstance, sim: Sim): void {
  const controls = controlsOf(sim);
  const personOf = (request: FastifyRequest) => controls.person((request.params as Params)['phone']!);
  app.patch('/people/:phone', (request) => {
    return assign(personOf(request).person, bodyOf(request) as Partial<PersonBehaviour>);
  });
  app.get('/people/:phone/messages', (request) => ({ messages: personOf(request).messages().map(showMessage) }));
  app.post('/people/:phone/:action', (request) => {
    const done = actOnPerson(personOf(request), (request.params as Params)['action']!, bodyOf(request));
    return done ? showMessage(done) : { success: true };
  });
}

const showMessage = ({ id, direction, type, at, statuses, payload, readByBusiness }: Message) => ({
  id,
  direction,
  type,
  at,
  ...(direction === 'out' ? { statuses } : { readByBusiness }),
  payload,
});

function mountFaults(app: FastifyInstance, sim: Sim): void {
  app.post('/faults', (request) => {
    const { count, share, outageMs, edge, ...fault } = bodyOf(request) as Record<string, never>;
    const kind = fault['kind'] === undefined ? undefined : (fault as unknown as Fault);
    if (outageMs !== undefined) sim.faults.outage(outageMs, kind);
    else if (kind === undefined) throw new Error('Say which kind: error, hang, reset, lost-answer or late.');
    else if (share !== undefined) sim.faults.random(share, kind, edge);
    else sim.faults.next(count ?? 1, kind, edge);
    return { success: true };
  });
  app.delete('/faults', () => {
    sim.faults.clear();
    return { success: true };
  });
}

function mountRecords(app: FastifyInstance, sim: Sim, received: Received[]): void {
  const { outbox } = sim;
  app.get('/received', () => ({
    requests: received.map(({ body, ...request }) => ({
      ...request,
      body: body.toString('utf8'),
      bodyBase64: body.toString('base64'),
    })),
  }));
  app.delete('/received', () => ({ removed: received.splice(0).length }));
  app.get('/deliveries', () => ({ deliveries: outbox.deliveries }));
  app.post('/webhook', async (request) => {
    const { url, verifyToken } = bodyOf(request);
    await controlsOf(sim).setWebhook(String(url), String(verifyToken));
    return { success: true };
  });
  app.post('/webhook/updates', (request) => {
    const { field, value, accountId } = bodyOf(request);
    controlsOf(sim).tell(String(field), value as object, accountId as string | undefined);
    return { success: true };
  });
  app.post('/webhook/hold', () => {
    outbox.hold();
    return { success: true };
  });
  app.post('/webhook/release', (request) => {
    const { order } = bodyOf(request);
    outbox.release((updates) => {
      return order === 'reversed'
        ? updates.toReversed()
        : order === 'shuffled'
          ? shuffled(updates, sim.random)
          : updates;
    });
    return { success: true };
  });
  app.post('/webhook/again', () => {
    const last = outbox.deliveries.at(-1);
    if (!last) throw new Error('Nothing was delivered yet.');
    outbox.again(last);
    return { success: true };
  });
}
