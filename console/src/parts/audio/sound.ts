import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiProblem } from '../../api/index.ts';

/** A sound of the API as a file in memory: it can be sought in whatever the server does, and drawn. */
export function useSound(src: string, enabled: boolean) {
  return useQuery({
    queryKey: ['sound', src],
    enabled,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    queryFn: async ({ signal }) => {
      const response = await fetch(src, { credentials: 'same-origin', signal });
      if (response.ok) return response.blob();
      throw new ApiProblem(response.status, await response.json().catch(() => null));
    },
  });
}

/** An address for a file in memory, given back when nobody shows it any more. */
export function useObjectUrl(file: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}

/** The loudest moment of each slice, 0 to 1, for each channel. */
export type Peaks = number[][];

/** Bytes; telephone sound of some 20 minutes. What is longer is played without a drawing. */
const mostDrawn = 20_000_000;

/** undefined: too long to be drawn, or not understood by this browser. */
export async function peaksOf(file: Blob, slices: number): Promise<Peaks | undefined> {
  if (file.size > mostDrawn) return undefined;
  try {
    // Telephone quality is enough, and takes a sixth of the memory.
    const context = new OfflineAudioContext(2, 1, 8000);
    const sound = await context.decodeAudioData(await file.arrayBuffer());
    return Array.from({ length: Math.min(2, sound.numberOfChannels) }, (_, index) =>
      loudest(sound.getChannelData(index), slices),
    );
  } catch {
    return undefined;
  }
}

function loudest(samples: Float32Array, slices: number): number[] {
  const size = samples.length / slices;
  return Array.from({ length: slices }, (_, slice) => {
    let most = 0;
    const end = Math.min(samples.length, Math.floor((slice + 1) * size));
    for (let index = Math.floor(slice * size); index < end; index++)
      most = Math.max(most, Math.abs(samples[index] ?? 0));
    return most;
  });
}

/** `1:05`; hours where there are some. */
export function sayLength(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = `${hours ? String(minutes).padStart(2, '0') : minutes}:${String(rest).padStart(2, '0')}`;
  return hours ? `${hours}:${tail}` : tail;
}
