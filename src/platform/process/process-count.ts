import { availableParallelism } from 'node:os';

/** More do not help one PostgreSQL on the same machine. */
const mostByItself = 8;

/** How many processes serve: as the setting says, or by the machine, which keeps a core for PostgreSQL. */
export function countProcesses(setting: string, cores = availableParallelism()): number {
  if (setting !== 'auto') return Number(setting);
  return cores <= 2 ? 1 : Math.min(cores - 1, mostByItself);
}

/** Connections for requests, and as many for background work, of each of so many processes. */
export const poolSizeOf = (count: number): number => (count === 1 ? 12 : count <= 4 ? 8 : 6);

/** The one that listens. */
const otherConnections = 1;
/** For the supervisor, the command line, and an operator with psql. */
const spareConnections = 10;

/** What so many processes ask of PostgreSQL. */
export const connectionsOf = (count: number): number =>
  count * (2 * poolSizeOf(count) + otherConnections) + spareConnections;

/** The most processes, up to `count`, whose connections a PostgreSQL has room for. */
export function fittingProcesses(count: number, mostConnections: number): number {
  let fitting = count;
  while (fitting > 1 && connectionsOf(fitting) > mostConnections) fitting--;
  return fitting;
}

/**
 * What each of so many processes takes of the connections that the whole server may have. The kernel chooses the process by a hash of the
 * addresses, so some get more than an equal part: by chance alone none gets four standard deviations more.
 */
export function shareOfConnections(most: number, count: number): number {
  const equal = most / count;
  return Math.min(most, Math.ceil(equal + 4 * Math.sqrt(equal)));
}
