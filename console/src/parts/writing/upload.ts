import { ours } from '../../api/client.ts';
import { ApiProblem, type Schema, urlOf } from '../../api/index.ts';

export type Media = Schema<'TemplateMedia'>;

/** What the platform takes, for the file chooser; the server looks at the file itself. */
export const acceptOf: Record<string, string> = {
  IMAGE: 'image/jpeg,image/png',
  VIDEO: 'video/mp4,video/3gpp',
  AUDIO: 'audio/aac,audio/amr,audio/mpeg,audio/mp4,audio/ogg,.m4a,.opus',
  DOCUMENT: '.pdf,.txt,.doc,.docx,.xls,.xlsx,.ppt,.pptx',
  STICKER: 'image/webp',
};
export const acceptAll = Object.values(acceptOf).join(',');

/** Uploads a file and tells how much of it has gone (0 to 1): `fetch` cannot do that. */
export const uploadMedia = (file: File, onProgress: (share: number) => void, signal?: AbortSignal): Promise<Media> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', urlOf('/v2/chatapp/template-media/'));
    for (const [name, value] of Object.entries(ours)) request.setRequestHeader(name, value);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () =>
      request.status === 201
        ? resolve(request.response as Media)
        : reject(new ApiProblem(request.status, request.response, request.getResponseHeader('x-request-id')));
    request.onerror = () => reject(new ApiProblem(0, null));
    request.onabort = () => reject(new DOMException('Cancelled.', 'AbortError'));
    signal?.addEventListener('abort', () => request.abort());
    const body = new FormData();
    body.set('file', file);
    request.send(body);
  });
