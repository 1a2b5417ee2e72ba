import { serverUrl } from '../../../api/index.ts';

/** Where a tap on a link led. */
export type Landing =
  | { kind: 'chat'; number: string; text: string }
  | { kind: 'dead'; title: string; sentence: string }
  /** Off this server. `opened`: the link has been followed already, and led there. */
  | { kind: 'outside'; url: string; opened: boolean }
  | { kind: 'unreadable'; url: string };

const code = /^[2-9b-z]{10}$/i;

/**
 * What to ask this server for, if the link is one of its own. The link may name the server otherwise than this page does; and of a
 * template that is known by its name alone, only the code of the link is known.
 */
function codeOf(link: string): string | undefined {
  if (code.test(link)) return link;
  const [, found] = /(?:^|\/)l\/([^/?#]+)$/.exec(link) ?? [];
  return found && code.test(found) ? found : undefined;
}

/** The chat that an address of the simulator opens. */
export function chatOf(address: string): { number: string; text: string } | undefined {
  const url = URL.parse(address);
  if (!url || `${url.origin}${url.pathname}`.startsWith(`${serverUrl}/console/phone/`) === false) return undefined;
  const [, number] = /\/console\/phone\/([^/]+)$/.exec(url.pathname) ?? [];
  return number && number !== 'flow'
    ? { number: decodeURIComponent(number), text: url.searchParams.get('text') ?? '' }
    : undefined;
}

/** Opens a link as the browser of the phone does: the server counts it, and says where it leads. */
export async function openLink(link: string): Promise<Landing> {
  const short = codeOf(link);
  if (short === undefined) {
    const chat = chatOf(link);
    if (chat) return { kind: 'chat', ...chat };
    return /^https?:\/\//i.test(link)
      ? { kind: 'outside', url: link, opened: false }
      : { kind: 'unreadable', url: link };
  }
  const url = `${serverUrl}/l/${short}`;
  try {
    const answer = await fetch(url, { headers: { accept: 'application/json' }, cache: 'no-store' });
    const chat = chatOf(answer.url);
    if (chat) return { kind: 'chat', ...chat };
    if (answer.ok) return { kind: 'outside', url: answer.url, opened: true };
    if (answer.status === 404)
      return { kind: 'dead', title: 'No such link', sentence: 'This link leads nowhere. Check that it is complete.' };
    const { detail = `The server answered ${answer.status}.` } = (await answer.json().catch(() => ({}))) as {
      detail?: string;
    };
    return { kind: 'dead', title: answer.status === 410 ? 'Link expired' : 'That did not work', sentence: detail };
  } catch {
    // This page may speak to its own server only; the link led elsewhere.
    return { kind: 'outside', url, opened: true };
  }
}
