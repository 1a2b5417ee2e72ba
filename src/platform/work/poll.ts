/**
 * Most loops find nothing most of the time, and all their looks together cost more than anything else at rest. So one statement a
 * second asks for all loops of a process whether there may be something to do, and only those look for which there is (see decision 66).
 */
export interface Poll {
  /**
   * Asks whether there may be something to do. The condition is SQL without parameters that is answered from an index. It may be true when
   * there is nothing to do, and is never false when there is something.
   */
  watch(condition: string): Watch;
}

export interface Watch {
  /** Calls back whenever the condition is true, or could not be asked. Ends when the function that it returns is called. */
  listen(callback: () => void): () => void;
  /** It is not asked any more. */
  close(): void;
}

/** How often it asks. */
export const pollMs = 1000;
/** Loops start one after the other; after this wait, those that started together are asked about together. */
const firstMs = 10;

interface Watched {
  condition: string;
  callbacks: Set<() => void>;
  isNew: boolean;
}

/**
 * `ask` runs a statement whose only row is an array of answers. It is marked as prepared when the same statement is asked again and
 * again. Left out where the database cannot answer such a question: every loop looks for itself there.
 */
export function startPoll(ask?: (text: string, isRepeated: boolean) => Promise<boolean[]>): Poll & { stop(): void } {
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;
  let nextMs = 0;
  let isStopped = false;

  const schedule = (inMs: number): void => {
    if (isStopped || (timer && nextMs <= performance.now() + inMs)) return;
    clearTimeout(timer);
    nextMs = performance.now() + inMs;
    timer = setTimeout(() => void beat(), inMs).unref();
  };

  const beat = async (): Promise<void> => {
    const unasked = [...watched].filter(({ isNew }) => isNew);
    const asked = unasked.length > 0 ? unasked : [...watched];
    for (const one of asked) one.isNew = false;
    const answers = await answersFor(asked, unasked.length === 0);
    asked.forEach(({ callbacks }, index) => {
      if (answers?.[index] ?? true) for (const callback of callbacks) callback();
    });
    timer = undefined;
    if (watched.size > 0) schedule([...watched].some(({ isNew }) => isNew) ? firstMs : pollMs);
  };

  /** undefined: the question could not be asked, and every loop looks for itself. */
  const answersFor = async (asked: Watched[], isRepeated: boolean): Promise<boolean[] | undefined> => {
    const conditions = asked.map(({ condition }) => `(${condition})`).join(',\n  ');
    return ask?.(`select array[\n  ${conditions}] as answers`, isRepeated).catch(() => undefined);
  };

  return {
    watch(condition) {
      const one: Watched = { condition, callbacks: new Set(), isNew: true };
      watched.add(one);
      schedule(firstMs);
      return {
        listen(callback) {
          one.callbacks.add(callback);
          return () => void one.callbacks.delete(callback);
        },
        close: () => void watched.delete(one),
      };
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
