import assert from 'node:assert/strict';
import { test } from 'node:test';

test('what the files of a folder share is closed when another folder begins; a file by itself shares nothing', async () => {
  // One of its own: the process that runs this may share something.
  const address: string = './sharing.ts?alone';
  const { beginFolder, closeWithFolder, isSharing }: typeof import('./sharing.ts') = await import(address);
  const closed: string[] = [];
  const share = (what: string) => closeWithFolder(async () => closed.push(what));
  assert.equal(isSharing(), false);
  await beginFolder();
  assert.equal(isSharing(), true);
  share('program');
  share('browser');
  assert.deepEqual(closed, []);
  await beginFolder();
  assert.deepEqual(closed, ['program', 'browser']);
  await beginFolder();
  assert.deepEqual(closed, ['program', 'browser'], 'once');
});
