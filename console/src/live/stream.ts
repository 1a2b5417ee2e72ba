/** What happened, as `/v2/events/` tells it. */
export interface LiveEvent {
  uuid: string;
  kind: string;
  subject_type: string;
  subject: string;
  data: Record<string, unknown>;
  at: string;
}

interface StreamOptions {
  url: string;
  /** Begin with what follows this event. */
  after: string | undefined;
  signal: AbortSignal;
  onOpen(): void;
  onEvent(event: LiveEvent): void;
}

/** Nothing for so long, not even the comment of every 15 seconds: the connection is dead. */
const silenceMs = 40_000;

/**
 * Reads the stream of events until it breaks off. It is not an EventSource, because that one must be told every kind of event
 * beforehand, and does not say why it was refused. Returns the status of the answer.
 */
export async function readStream({ url, after, signal, onOpen, onEvent }: StreamOptions): Promise<number> {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), silenceMs);
  try {
    const answer = await fetch(after ? `${url}?after=${after}` : url, {
      credentials: 'same-origin',
      headers: { accept: 'text/event-stream' },
      cache: 'no-store',
      signal: AbortSignal.any([signal, silent.signal]),
    });
    if (!answer.ok || !answer.body) return answer.status;
    onOpen();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; ; ) {
      const { value, done } = await reader.read();
      if (done) return answer.status;
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), silenceMs);
      const frames = (text + value).split('\n\n');
      text = frames.pop() ?? '';
      for (const event of frames.flatMap(eventOf)) onEvent(event);
    }
  } finally {
    clearTimeout(timer);
  }
}

function eventOf(frame: string): LiveEvent[] {
  const data = frame.split('\n').filter((line) => line.startsWith('data:'));
  return data.length > 0 ? [JSON.parse(data.map((line) => line.slice(5)).join('\n')) as LiveEvent] : [];
}
