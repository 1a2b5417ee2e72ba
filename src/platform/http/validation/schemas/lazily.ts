/** Makes a function when it is first called. Compiling the checks of all operations at start would take half a second. */
export function lazily<A, R>(make: () => (argument: A) => R): (argument: A) => R {
  let made: ((argument: A) => R) | undefined;
  return (argument) => {
    made ??= make();
    return made(argument);
  };
}
