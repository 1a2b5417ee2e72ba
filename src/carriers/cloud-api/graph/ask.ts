import { CarrierRefusal } from '../../ports/carriers.ts';
import type { Sender } from '../../ports/chat.ts';
import { type Graph, type GraphAnswer, type GraphRequest, NoAnswer } from './client.ts';
import { errorOf } from './errors.ts';

export type Answer = Record<string, unknown>;

/** What the platform answers on a good day; all else is thrown as a `CarrierRefusal`. For everything but messages. */
export async function ask(graph: Graph, sender: Sender, request: GraphRequest): Promise<Answer> {
  const answer = await graph.call(sender, request).catch(unanswered);
  const refusal = refusalIn(answer);
  if (refusal) throw refusal;
  if (!isFields(answer.body)) throw unreadable();
  return answer.body;
}

/** No with a reason: `subcode` tells the many meanings of code 100 apart. */
export class GraphRefusal extends CarrierRefusal {
  readonly subcode: number | undefined;

  constructor(code: number, subcode: number | undefined, description: string, temporary: boolean) {
    super(String(code), description, { temporary });
    this.subcode = subcode;
  }
}

function refusalIn(answer: GraphAnswer): CarrierRefusal | undefined {
  const { status } = answer;
  const error = errorOf(answer);
  if (error) return new GraphRefusal(error.code, error.subcode, error.details, error.class !== 'permanent');
  if (status >= 200 && status < 300) return undefined;
  return new CarrierRefusal(String(status), `The platform answered with status ${status} and no reason.`, {
    temporary: status >= 500 || status === 429 || status === 401,
  });
}

/** For what throws `NoAnswer`: that is a refusal that may pass. */
export function unanswered(error: unknown): never {
  if (!(error instanceof NoAnswer)) throw error;
  throw new CarrierRefusal('no_answer', error.message, { temporary: true });
}

export const unreadable = (): CarrierRefusal =>
  new CarrierRefusal('unreadable_answer', 'The answer of the platform could not be read.', { temporary: true });

/** What is not there, or not this sender's. */
export const isMissing = (error: unknown): boolean =>
  error instanceof GraphRefusal && (error.code === '33' || (error.code === '100' && error.subcode === 33));

export function textIn(answer: Answer, field: string): string {
  const value = answer[field];
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number') return String(value);
  throw unreadable();
}

export const textOr = (usual: string, value: unknown): string => (typeof value === 'string' ? value : usual);
export const objectsIn = (value: unknown): Answer[] => (Array.isArray(value) ? value.filter(isFields) : []);

export const isFields = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const perPage = 100;

/** A whole list, page by page. `next` stands in an answer as long as more follows. */
export async function askAll(
  graph: Graph,
  sender: Sender,
  path: string,
  query: Record<string, string>,
): Promise<Answer[]> {
  const found: Answer[] = [];
  const seen = new Set<string>();
  let after: string | undefined;
  do {
    const page = await ask(graph, sender, {
      method: 'GET',
      path,
      query: { ...query, limit: perPage, ...(after !== undefined && { after }) },
    });
    if (!Array.isArray(page.data)) throw unreadable();
    found.push(...objectsIn(page.data));
    after = cursorIn(page);
    // A list that begins anew would never end.
    if (after !== undefined && seen.has(after)) throw unreadable();
    if (after !== undefined) seen.add(after);
  } while (after !== undefined);
  return found;
}

function cursorIn({ paging }: Answer): string | undefined {
  if (!isFields(paging) || typeof paging.next !== 'string' || !isFields(paging.cursors)) return undefined;
  return typeof paging.cursors.after === 'string' ? paging.cursors.after : undefined;
}

/** An id within a path. */
export const segment = (id: string | undefined): string => encodeURIComponent(id ?? '');
