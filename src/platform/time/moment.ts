const dayMs = 86_400_000;
/** Before it, none of the platforms that we hear from was there. */
const earliestMs = Date.UTC(2009, 0, 1);

/**
 * Whether a moment that somebody outside tells can be one: they tell what happened, so it is not long ahead of our own clock.
 * What is counted on from a far one, such as a day in which a person may be answered, cannot be stored any more.
 */
export const isPlausible = (atMs: number, nowMs = Date.now()): boolean => atMs >= earliestMs && atMs <= nowMs + dayMs;
