import { createReadStream, openAsBlob } from 'node:fs';
import type { Clock } from '../../../platform/time/clock.ts';
import { CarrierRefusal } from '../../ports/carriers.ts';
import type { CarrierMedia, OutboundFile, Sender } from '../../ports/chat.ts';
import { ask, segment, textIn, textOr, unanswered, unreadable } from '../graph/ask.ts';
import type { Graph } from '../graph/client.ts';

const idsLiveMs = 30 * 86_400_000;
/** A hundred megabytes, the most there is, over a slow line. */
const transferMs = 5 * 60_000;

/** Files of the sender's number. They pass through in pieces: the largest have 100 MB. */
export const makeMedia = (graph: Graph, clock: Clock): CarrierMedia => ({
  async upload(sender, file) {
    const form = new FormData();
    form.append('messaging_product', 'whatsapp');
    form.append('type', file.mimeType);
    // Reads from the disk as it is sent.
    form.append('file', await openAsBlob(file.path, { type: file.mimeType }), file.name);
    const path = `${segment(sender.settings.phone_number_id)}/media`;
    const answer = await ask(graph, sender, { method: 'POST', path, body: form, timeoutMs: transferMs });
    return { id: textIn(answer, 'id'), expiresAt: new Date(clock.now().getTime() + idsLiveMs) };
  },

  async uploadSample(sender, file) {
    const session = await ask(graph, sender, {
      method: 'POST',
      path: `${segment(sender.settings.app_id)}/uploads`,
      query: { file_name: file.name, file_length: file.size, file_type: file.mimeType },
    });
    return sendBytes(graph, sender, textIn(session, 'id'), file);
  },

  async download(sender, id) {
    const query = { phone_number_id: sender.settings.phone_number_id ?? '' };
    const described = await ask(graph, sender, { method: 'GET', path: segment(id), query });
    const url = textIn(described, 'url');
    if (!URL.canParse(url)) throw unreadable();
    const { mimeType, bytes } = await graph.download(sender, url, transferMs).catch(unanswered);
    return { mimeType: textOr(mimeType, described.mime_type), bytes: orRefusal(bytes) };
  },
});

/** The bytes of a resumable upload, in one go; `upload:…?sig=…` is a path. It answers with a handle, not with a media id. */
async function sendBytes(graph: Graph, sender: Sender, path: string, file: OutboundFile): Promise<string> {
  const body = createReadStream(file.path);
  try {
    const headers = {
      // Only here the platform insists on this word.
      authorization: `OAuth ${sender.settings.access_token ?? ''}`,
      file_offset: '0',
      'content-type': 'application/octet-stream',
      'content-length': String(file.size),
    };
    const answer = await ask(graph, sender, { method: 'POST', path, body, headers, timeoutMs: transferMs });
    return textIn(answer, 'h');
  } finally {
    body.destroy();
  }
}

async function* orRefusal(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* bytes;
  } catch {
    throw new CarrierRefusal('no_answer', 'The file broke off.', { temporary: true });
  }
}
