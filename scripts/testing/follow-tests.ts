import type { AsyncResource, HookCallbacks } from 'node:async_hooks';

type Run = (this: AsyncResource, work: (...args: unknown[]) => unknown, self?: unknown, ...args: unknown[]) => unknown;

/**
 * Node's test runner finds out which test something belongs to by following every promise that is made, which takes a seventh of
 * the time of all tests. This lets it ask the asynchronous context instead, which is carried along anyway. To be called before
 * anybody has imported `node:test`; after that it changes nothing. It returns a function that lets go of the tests that have ended:
 * the runner would keep each with all that it used, a whole program for most, and every garbage collection would go through them.
 */
export function followTestsByContext(): () => void {
  const hooks = process.getBuiltinModule('node:async_hooks');
  const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = hooks;
  const current = new AsyncLocalStorage<number>();
  const tests = new Map<number, object>();
  let forget: (id: number) => void = () => {};

  const createLightHook = ({ init, destroy }: HookCallbacks) => {
    forget = (id) => destroy?.(id);
    const light = {
      trackPromises: false,
      init(id: number, type: string, trigger: number, resource: object): void {
        if (type !== 'Test') return;
        tests.set(id, resource);
        init?.(id, type, trigger, resource);
      },
    };
    return createHook(light);
  };
  Object.assign(hooks, {
    createHook: createLightHook,
    executionAsyncId: () => current.getStore() ?? executionAsyncId(),
  });

  const { prototype } = AsyncResource as { prototype: { runInAsyncScope: Run } };
  const run = prototype.runInAsyncScope;
  prototype.runInAsyncScope = function (work, self, ...args) {
    const id = this.asyncId();
    if (!tests.has(id)) return run.call(this, work, self, ...args);
    return run.call(this, () => current.run(id, () => Reflect.apply(work, self, args)));
  };

  return () => {
    // The first is the root, which the others belong to.
    for (const [id, ended] of [...tests].slice(1)) {
      tests.delete(id);
      forget(id);
      Object.assign(ended, { fn: undefined, subtests: [], hooks: {} });
    }
  };
}
