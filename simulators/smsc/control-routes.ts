import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Given } from '../../src/carriers/smpp/codec/index.ts';
import { type Fault, type FaultPlan, faultKinds } from './faults.ts';
import type { Settings } from './settings.ts';
import type { Connection, Message, World } from './world.ts';
import { type Written, write } from './write.ts';

type Fields = Record<string, unknown>;

const bodyOf = (request: FastifyRequest): Fields => {
  const text = (request.body as string | undefined) ?? '';
  const body: unknown = text === '' ? {} : JSON.parse(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Error('The body must be a JSON object.');
  return body as Fields;
};

/** The same controls as in code, over HTTP, for a centre that runs on its own. Fields are named as in code. */
export function makeControlServer(world: World, { dropAll }: { dropAll(): void }): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, _request, reply) => reply.code(400).send({ error: (error as Error).message }));

  app.get('/', () => ({
    settings: world.settings,
    connections: [...world.connections].map(showConnection),
    waiting: world.outbox.waiting(),
  }));
  app.patch('/settings', (request) => assign(world.settings, bodyOf(request)));
  app.post('/messages', async (request) => ({ answers: await write(world, writtenOf(bodyOf(request))) }));
  app.post('/drop', () => {
    const dropped = world.connections.size;
    dropAll();
    return { dropped };
  });
  mountFaults(app, world);
  mountRecords(app, world);
  return app;
}

const showConnection = ({ systemId, mode, session }: Connection) => ({
  systemId,
  mode,
  state: session.state,
  ...session.load(),
});

/** Changes what is there; a name that is not is a mistake worth hearing of. */
function assign(settings: Settings, changes: Fields): Settings {
  const unknown = Object.keys(changes).find((key) => !(key in settings));
  if (unknown !== undefined)
    throw new Error(`There is no "${unknown}"; there are: ${Object.keys(settings).join(', ')}.`);
  return Object.assign(settings, changes);
}

function writtenOf(body: Fields): Written {
  for (const name of ['from', 'to']) if (typeof body[name] !== 'string') throw new Error(`Say "${name}": a number.`);
  return body as unknown as Written;
}

function mountFaults(app: FastifyInstance, { faults }: World): void {
  app.post('/faults', (request) => {
    const { count, skip, command, ...fault } = bodyOf(request);
    if (!faultKinds.includes(String(fault['kind']))) throw new Error(`Say which kind: ${faultKinds.join(', ')}.`);
    const plan = JSON.parse(JSON.stringify({ count, skip, command })) as FaultPlan;
    faults.next(fault as unknown as Fault, plan);
    return { success: true };
  });
  app.delete('/faults', () => {
    faults.clear();
    return { success: true };
  });
}

function mountRecords(app: FastifyInstance, { received, outbox }: World): void {
  app.get('/received', () => ({
    messages: received.map(({ pdu, message, ...entry }) => ({ ...entry, ...showMessage(message), pdu: showPdu(pdu) })),
  }));
  app.delete('/received', () => ({ removed: received.splice(0).length }));
  app.get('/deliveries', () => ({
    deliveries: outbox.deliveries.map(({ pdu, ...delivery }) => ({ ...delivery, pdu: showPdu(pdu) })),
  }));
}

const showMessage = (message: Message | null) => (message ? { id: message.id, state: message.state } : { id: null });

/** Octets as hexadecimal digits, and as text where the coding tells how. */
function showPdu(pdu: Given<'submit_sm'> | Given<'deliver_sm'>) {
  const { short_message = Buffer.alloc(0), tlvs = {}, ...fields } = pdu;
  const shown = Object.entries(tlvs).map(([name, value]) => [
    name,
    Buffer.isBuffer(value) ? value.toString('hex') : value,
  ]);
  return {
    ...fields,
    short_message: short_message.toString('hex'),
    tlvs: Object.fromEntries(shown),
    text: textOf(pdu),
  };
}

function textOf({ short_message, data_coding = 0, esm_class = 0, tlvs }: Given<'submit_sm'>): string {
  const octets = short_message?.length ? short_message : (tlvs?.message_payload ?? Buffer.alloc(0));
  const body = octets.subarray(esm_class & 0x40 && octets.length > 0 ? octets[0]! + 1 : 0);
  if (data_coding !== 8) return body.toString('latin1');
  return Buffer.from(body.subarray(0, body.length & ~1))
    .swap16()
    .toString('utf16le');
}
