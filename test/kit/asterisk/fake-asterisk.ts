// An Asterisk that is none: the documented requests and events of ARI over real HTTP and a real WebSocket, for tests.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { causeText, type FakeChannel, newFakeChannel, presentChannel } from './fake-channels.ts';
import { acceptWebSocket, type TextSocket } from './websocket.ts';

export interface FakeRequest {
  method: string;
  path: string[];
  query: Record<string, string>;
  body: { variables?: Record<string, string> };
}

interface Answer {
  status: number;
  body?: object | Buffer;
}

/** What people do who are called: answer, let it ring, or have it end with a cause. */
export type Manner = 'answer' | 'ring' | { cause: number; techCause?: number };

export type FakeAsterisk = Awaited<ReturnType<typeof startFakeAsterisk>>;

const user = 'parley';
const password = 'se:cret';

export async function startFakeAsterisk() {
  const channels = new Map<string, FakeChannel>();
  const bridges = new Map<string, Set<string>>();
  const playbacks = new Map<string, () => void>();
  const live = new Map<string, { finish(): void }>();
  const stored = new Map<string, Buffer>();
  let socket: TextSocket | undefined;

  const fake = {
    url: '',
    access: { user, password },
    channels,
    bridges,
    stored,
    requests: [] as FakeRequest[],
    manner: 'answer' as Manner,
    /** How long a sound lasts. */
    playMs: 20,
    /** Sounds that are not there. */
    isPlayable: (_media: string): boolean => true,
    /** What a person says, as far as it is recorded. */
    voiceOf: (_channel: string): Buffer => Buffer.alloc(800, 1),
    /** Refuses instead of doing. */
    refuse: (_request: FakeRequest): number | undefined => undefined,
    /** How long a request lies before anything is done. */
    delayMs: (_request: FakeRequest): number => 0,
    /** Whether a connection for events is taken. */
    takesEvents: true,
    isConnected: () => socket !== undefined,
    emit(event: object): void {
      const timestamp = new Date().toISOString().replace('Z', '+0000');
      socket?.send(JSON.stringify({ ...event, timestamp, application: 'parley', asterisk_id: '00:00' }));
    },
    say: (text: string) => socket?.send(text),
    call(to: string, given: Partial<FakeChannel> = {}, args: string[] = []): FakeChannel {
      const channel = newFakeChannel({ from: '+447700900111', exten: to, ...given });
      channels.set(channel.id, channel);
      fake.emit({ type: 'StasisStart', args, channel: presentChannel(channel) });
      return channel;
    },
    press(channel: FakeChannel, digits: string): void {
      for (const digit of digits) {
        fake.emit({ type: 'ChannelDtmfReceived', digit, duration_ms: 100, channel: presentChannel(channel) });
      }
    },
    /** Ends a channel as Asterisk does: request, end of the application, destruction. */
    hangUp(channel: FakeChannel, cause = 16, techCause?: number): void {
      if (!channels.delete(channel.id)) return;
      const shown = presentChannel(channel);
      fake.emit({ type: 'ChannelHangupRequest', channel: shown, cause });
      for (const end of [...channel.interrupt]) end();
      for (const tap of [...channels.values()]) if (tap.snoopOf === channel.id) fake.hangUp(tap);
      for (const members of bridges.values()) members.delete(channel.id);
      if (channel.state === 'Up') fake.emit({ type: 'StasisEnd', channel: shown });
      const tech = techCause === undefined ? {} : { tech_cause: techCause };
      fake.emit({ type: 'ChannelDestroyed', channel: shown, cause, cause_txt: causeText(cause), ...tech });
    },
    /** The connection breaks; everything else goes on. */
    breakEvents(): void {
      socket?.destroy();
      socket = undefined;
    },
    /** Everything is forgotten. */
    restart(): void {
      for (const things of [channels, bridges, playbacks, live]) things.clear();
      fake.breakEvents();
    },
    async close(): Promise<void> {
      socket?.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function play(channel: FakeChannel, id: string, media: string): Answer {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const isEndless = media.startsWith('tone:');
    playbacks.set(id, end);
    channel.interrupt.add(end);
    const playback = { id, media_uri: media, target_uri: `channel:${channel.id}`, language: 'en' };
    enqueue(channel, async () => {
      channel.done.push(`play ${media}`);
      fake.emit({ type: 'PlaybackStarted', playback: { ...playback, state: 'playing' } });
      const timer = isEndless ? undefined : setTimeout(end, fake.isPlayable(media) ? fake.playMs : 0);
      await over;
      clearTimeout(timer);
      channel.interrupt.delete(end);
      playbacks.delete(id);
      const state = fake.isPlayable(media) ? 'done' : 'failed';
      fake.emit({ type: 'PlaybackFinished', playback: { ...playback, state } });
    });
    return { status: 201, body: { ...playback, state: 'queued' } };
  }

  function record(channel: FakeChannel, name: string, format: string): Answer {
    const { promise: over, resolve: finish } = Promise.withResolvers<void>();
    const recording = { name, format, target_uri: `channel:${channel.id}` };
    live.set(name, { finish });
    channel.interrupt.add(finish);
    enqueue(channel, async () => {
      channel.done.push('record');
      fake.emit({ type: 'RecordingStarted', recording: { ...recording, state: 'recording' } });
      await over;
      channel.interrupt.delete(finish);
      live.delete(name);
      stored.set(name, fake.voiceOf(channel.snoopOf ?? channel.id));
      fake.emit({ type: 'RecordingFinished', recording: { ...recording, state: 'done', duration: 1 } });
    });
    return { status: 201, body: { ...recording, state: 'queued' } };
  }

  const enqueue = (channel: FakeChannel, run: () => Promise<void> | void): void => {
    channel.queue = channel.queue.then(run);
  };
  const note = (channel: FakeChannel, what: string): Answer => {
    enqueue(channel, () => void channel.done.push(what));
    return { status: 204 };
  };

  function enter(channel: FakeChannel): void {
    channel.inStasis = true;
    fake.emit({ type: 'StasisStart', args: [], channel: presentChannel(channel) });
  }

  function originate(id: string, { callerId = '' }: Record<string, string>): Answer {
    const channel = newFakeChannel({ id, state: 'Down', from: callerId, inStasis: false });
    channels.set(id, channel);
    fake.emit({ type: 'ChannelCreated', channel: presentChannel(channel) });
    const { manner } = fake;
    setImmediate(() => {
      channel.state = 'Ringing';
      fake.emit({ type: 'ChannelStateChange', channel: presentChannel(channel) });
      if (typeof manner === 'object') fake.hangUp(channel, manner.cause, manner.techCause);
      if (manner !== 'answer' || !channels.has(id)) return;
      channel.state = 'Up';
      fake.emit({ type: 'ChannelStateChange', channel: presentChannel(channel) });
      enter(channel);
    });
    return { status: 200, body: presentChannel(channel) };
  }

  function snoop(of: FakeChannel, id: string): Answer {
    const tap = newFakeChannel({ id, name: `Snoop/${of.id}`, state: 'Up', snoopOf: of.id, inStasis: false });
    channels.set(id, tap);
    setImmediate(() => channels.has(id) && enter(tap));
    return { status: 200, body: presentChannel(tap) };
  }

  const missing: Answer = { status: 404, body: { message: 'Not found' } };

  function onChannel({ method, path, query }: FakeRequest): Answer {
    const [, id = '', verb, more = ''] = path;
    if (!id) return { status: 200, body: [...channels.values()].map(presentChannel) };
    if (method === 'POST' && !verb) return originate(id, query);
    const channel = channels.get(id);
    if (!channel) return missing;
    if (!verb && method === 'DELETE') {
      setImmediate(() => fake.hangUp(channel, Number(query.reason_code ?? 16)));
      return { status: 204 };
    }
    if (verb === 'snoop') return snoop(channel, more);
    if (!channel.inStasis) return { status: 409, body: { message: 'Channel not in Stasis application' } };
    if (verb === 'play') return play(channel, more, query.media!);
    if (verb === 'record') return record(channel, query.name!, query.format!);
    if (verb === 'answer') channel.state = 'Up';
    return note(channel, method === 'DELETE' ? `no ${verb}` : verb!);
  }

  function onBridge({ method, path, query }: FakeRequest): Answer {
    const [, id = '', verb] = path;
    if (method === 'DELETE') return bridges.delete(id) ? { status: 204 } : missing;
    if (verb !== 'addChannel') {
      bridges.set(id, new Set());
      return { status: 200, body: { id, bridge_type: 'mixing', channels: [] } };
    }
    const ids = query.channel!.split(',');
    if (!ids.every((one) => channels.has(one))) return { status: 400, body: { message: 'Channel not found' } };
    for (const one of ids) enqueue(channels.get(one)!, () => void bridges.get(id)?.add(one));
    return { status: 204 };
  }

  function onRecording({ method, path }: FakeRequest): Answer {
    const [, kind, name = '', verb] = path;
    if (kind === 'live') {
      if (!live.has(name)) return missing;
      if (verb === 'stop') live.get(name)!.finish();
      return verb === 'stop' ? { status: 204 } : { status: 200, body: { name, state: 'recording' } };
    }
    const file = stored.get(name);
    if (!file) return missing;
    if (method === 'DELETE') stored.delete(name);
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: file };
  }

  function answer(request: FakeRequest): Answer {
    const refusal = fake.refuse(request);
    if (refusal !== undefined) return { status: refusal, body: { message: 'Refused by the test' } };
    const [kind, id = ''] = request.path;
    switch (kind) {
      case 'channels':
        return onChannel(request);
      case 'bridges':
        return onBridge(request);
      case 'recordings':
        return onRecording(request);
      case 'playbacks': {
        const end = playbacks.get(id);
        if (request.method === 'DELETE') end?.();
        return end ? { status: request.method === 'DELETE' ? 204 : 200, body: { id } } : missing;
      }
      case 'applications':
        return socket ? { status: 200, body: { name: id, channel_ids: [...channels.keys()] } } : missing;
      default:
        return { status: 200, body: { system: { version: '22.0.0' } } };
    }
  }

  const server = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url!, 'http://fake');
    const chunks: Buffer[] = await Array.fromAsync(incoming);
    const request: FakeRequest = {
      method: incoming.method!,
      path: url.pathname.split('/').slice(2).map(decodeURIComponent),
      query: Object.fromEntries(url.searchParams),
      body: chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {},
    };
    fake.requests.push(request);
    const delayMs = fake.delayMs(request);
    if (delayMs > 0) await sleep(delayMs);
    const { status, body } = isAllowed(incoming) ? answer(request) : { status: 401, body: { error: 'Unauthorized' } };
    outgoing.writeHead(status, { 'content-type': Buffer.isBuffer(body) ? 'audio/ulaw' : 'application/json' });
    outgoing.end(status === 204 || !body ? '' : Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
  server.on('upgrade', (request, stream) => {
    // From here on nobody else hears of its errors.
    stream.on('error', () => {});
    const { searchParams } = new URL(request.url!, 'http://fake');
    const isKnown = searchParams.get('api_key') === `${user}:${password}`;
    if (!isKnown || !fake.takesEvents) return void stream.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
    fake.emit({ type: 'ApplicationReplaced' });
    const accepted = acceptWebSocket(request, stream, () => {
      if (socket === accepted) socket = undefined;
    });
    socket = accepted;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}

const isAllowed = ({ headers }: IncomingMessage): boolean =>
  headers.authorization === `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
