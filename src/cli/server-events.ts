export interface ServerEvent {
  event: string;
  id: string;
  data: string;
}

/** Reads a stream of server-sent events (WHATWG HTML, 9.2.6), as far as ours go: comments and `retry` are passed over. */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let text = '';
  for await (const chunk of body.pipeThrough(
    new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>,
  )) {
    text += chunk;
    const frames = text.split(/\r?\n\r?\n/);
    text = frames.pop()!;
    for (const frame of frames) {
      const fields = frame.split(/\r?\n/).map((line) => line.split(/: ?(.*)/s) as [string, string?]);
      const field = (name: string) => fields.filter(([key]) => key === name).map(([, value = '']) => value);
      const data = field('data');
      if (data.length > 0)
        yield { event: field('event').at(-1) ?? 'message', id: field('id').at(-1) ?? '', data: data.join('\n') };
    }
  }
}
