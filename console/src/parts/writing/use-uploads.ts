import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem, invalidate, sayProblem } from '../../api/index.ts';
import { type Media, uploadMedia } from './upload.ts';

export interface Upload {
  key: number;
  name: string;
  /** 0 to 1. */
  share: number;
  problem: string;
  cancel(): void;
}

let keys = 0;

/** Uploads under way, one after another, and those that were refused. */
export function useUploads(onDone?: (media: Media) => void) {
  const client = useQueryClient();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const change = (key: number, fields: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...fields } : one)));
  const remove = (key: number) => setUploads((all) => all.filter((one) => one.key !== key));

  const upload = async (file: File, key: number, signal: AbortSignal): Promise<void> => {
    try {
      const media = await uploadMedia(file, (share) => change(key, { share }), signal);
      remove(key);
      void invalidate(client, ['/v2/chatapp/template-media/']);
      onDone?.(media);
    } catch (error) {
      if (signal.aborted) remove(key);
      else change(key, { problem: problemOf(error) });
    }
  };

  const add = async (files: readonly File[]): Promise<void> => {
    const begun = files.map((file) => ({ file, key: keys++, stop: new AbortController() }));
    setUploads((all) => [
      ...all,
      ...begun.map(({ file, key, stop }) => ({
        key,
        name: file.name,
        share: 0,
        problem: '',
        cancel: () => {
          stop.abort();
          remove(key);
        },
      })),
    ]);
    for (const { file, key, stop } of begun) if (!stop.signal.aborted) await upload(file, key, stop.signal);
  };
  return { uploads, add, remove };
}

const problemOf = (error: unknown): string =>
  (error instanceof ApiProblem && (error.fields['file'] ?? (error.status === 413 && 'It is larger than 100 MiB.'))) ||
  sayProblem(error);
