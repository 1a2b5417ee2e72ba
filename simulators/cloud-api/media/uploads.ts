import type { Call } from '../graph/call.ts';
import { invalid } from '../graph/checks.ts';
import type { Sim } from '../sim.ts';

const fileTypes = ['application/pdf', 'image/jpeg', 'image/jpg', 'image/png', 'video/mp4'];

/** `POST /{app-id}/uploads`: opens a resumable upload. */
export function openUpload({ world, ids }: Sim, call: Call) {
  const { file_length, file_type } = call.params();
  if (!fileTypes.includes(String(file_type)))
    throw invalid(`Param file_type must be one of {${fileTypes.join(', ')}}.`);
  const fileLength = Number(file_length);
  if (!Number.isInteger(fileLength) || fileLength < 1) throw invalid('Param file_length must be a positive integer.');
  const id = `upload:${ids.token(40)}`;
  world.uploads.set(id, { id, fileType: String(file_type), fileLength, received: Buffer.alloc(0) });
  return { id: `${id}?sig=${ids.token(16)}` };
}

/** `POST /upload:…`: bytes from `file_offset` on. The last of them answers with the handle. */
export function continueUpload({ world, ids }: Sim, call: Call) {
  const session = world.uploads.get(call.id)!;
  if (!call.headers.authorization?.startsWith('OAuth '))
    throw invalid('The upload needs the header Authorization: OAuth.');
  if (Number(call.headers['file_offset']) !== session.received.length) {
    throw invalid(`Header file_offset must be ${session.received.length}.`);
  }
  const received = Buffer.concat([session.received, call.body]);
  if (received.length > session.fileLength)
    throw invalid(`More than the announced ${session.fileLength} bytes were sent.`);
  session.received = received;
  if (received.length < session.fileLength) return { id: session.id, file_offset: received.length };
  const handle = `4::${Buffer.from(session.fileType).toString('base64')}:AR${ids.token(48)}`;
  world.handles.set(handle, session.fileType);
  world.uploads.delete(session.id);
  return { h: handle };
}

export const uploadState = ({ world }: Sim, call: Call) => ({
  id: call.id,
  file_offset: world.uploads.get(call.id)!.received.length,
});
