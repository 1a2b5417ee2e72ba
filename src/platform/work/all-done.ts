/** Waits for all of them, also when one fails: nothing of them goes on in the background. Then the first failure is thrown. */
export async function allDone(works: Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
