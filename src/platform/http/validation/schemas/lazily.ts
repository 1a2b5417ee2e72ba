/** Makes a function when it is first called. Compiling the checks of all operations at start would take half a second. */
export function lazily<A extends unknown[], R>(make: () => (...given: A) => R): (...given: A) => R {
  let made: ((...given: A) => R) | undefined;
  return (...given) => {
    made ??= make();
    return made(...given);
  };
}
