import { isIP } from 'node:net';

type Done = (error: Error | null, address: string, family: number) => void;

/** For sockets: without a look into the DNS, which would put every packet off for a turn of the loop. */
export const noLookup = (host: string, _: unknown, done: Done): void => {
  const family = isIP(host);
  if (family) done(null, host, family);
  else done(new Error(`"${host}" is not an IP address.`), '', 4);
};
