/** What is kept of something that was sent: enough to find it. What it says is kept with itself only, and as long as that. */
export const sent = (
  results: PromiseSettledResult<{ uuid: string; status: string }>[],
): PromiseSettledResult<{ uuid: string; status: string }>[] =>
  results.map((result) =>
    result.status === 'rejected'
      ? result
      : { status: 'fulfilled', value: { uuid: result.value.uuid, status: result.value.status } },
  );
