import { isIPv6 } from 'node:net';

/**
 * What counts as one client when attempts are counted: an IPv4 address, or the /64 of an IPv6 one, since a single machine is
 * given a whole /64 and may use any address in it.
 */
export function clientNetwork(address: string): string {
  const plain = address.split('%')[0]!;
  if (!isIPv6(plain)) return plain.slice(0, longestText);
  const words = wordsOf(plain);
  const isMapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff;
  if (isMapped)
    return words
      .slice(6)
      .flatMap((word) => [word >> 8, word & 0xff])
      .join('.');
  return `${words
    .slice(0, 4)
    .map((word) => word.toString(16))
    .join(':')}::/64`;
}

/** Behind a proxy it is what the proxy says. */
const longestText = 100;

/** The eight 16-bit words of an IPv6 address; the URL parser writes the dotted end of some in hexadecimal. */
function wordsOf(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const read = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16));
  const [first, last] = [read(head), read(tail ?? '')];
  return [...first, ...new Array<number>(8 - first.length - last.length).fill(0), ...last];
}
