import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before } from 'node:test';
import { testFiles } from '../../../test/kit/files/file-guarantees.ts';
import type { Files } from './files.ts';
import { makeFilesOnDisk } from './on-disk.ts';

let directory: string;
let files: Files;
before(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'parley-files-'));
  files = makeFilesOnDisk(directory);
});
after(() => rm(directory, { recursive: true, force: true }));

testFiles(() => ({ files, directory }));
