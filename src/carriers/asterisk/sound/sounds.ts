import { createHash } from 'node:crypto';
import { chmod, mkdir, opendir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../../platform/ids.ts';

/**
 * The directory that Asterisk plays from. Sounds of the product lie in several places, some without an ending and readable
 * by us alone; Asterisk knows a format by the ending of its file. So each is copied once, under a name made of what it sounds like.
 */
export interface SoundCache {
  /** What ARI is to play. */
  mediaOf(path: string): Promise<string>;
  /** Removes what was not played for a month. */
  sweep(): Promise<void>;
}

const dayMs = 86_400_000;
const keptMs = 30 * dayMs;

/** `place`: the directory as Asterisk sees it, a path or the address of a web server; '' where it sees the same. */
export function makeSoundCache(directory: string, place: string): SoundCache {
  async function keep(path: string, sound: Buffer): Promise<void> {
    await mkdir(directory, { recursive: true });
    // Moved to its place whole: Asterisk may play it in this moment.
    const temporary = join(directory, newId());
    try {
      await writeFile(temporary, sound);
      await chmod(temporary, 0o644);
      await rename(temporary, path);
    } finally {
      await rm(temporary, { force: true });
    }
  }

  return {
    async mediaOf(source) {
      const sound = await readFile(source);
      const name = createHash('sha256').update(sound).digest('hex');
      const path = join(directory, `${name}.ulaw`);
      const found = await stat(path).catch(() => undefined);
      if (found?.size !== sound.length) await keep(path, sound);
      else if (Date.now() - found.mtimeMs > dayMs) await utimes(path, new Date(), new Date());
      // Files are named without their ending, addresses with it.
      if (/^https?:/.test(place)) return `sound:${place.replace(/\/$/, '')}/${name}.ulaw`;
      return `sound:${join(place || directory, name)}`;
    },
    async sweep() {
      const files = await opendir(directory).catch(() => undefined);
      if (!files) return;
      for await (const { name } of files) {
        const path = join(directory, name);
        const found = await stat(path).catch(() => undefined);
        if (found?.isFile() && Date.now() - found.mtimeMs > keptMs) await rm(path, { force: true });
      }
    },
  };
}
