import type { ErrorObject } from 'ajv/dist/2020.js';
import type { JsonSchema } from './plain-schema.ts';

/** Mistakes that only repeat others: of a tag (its own `enum` speaks), and of keywords that hold other schemas. */
const echoes = new Set(['discriminator', 'if', 'propertyNames']);

/**
 * Leaves, of a union that failed, the mistakes of one variant only. Ajv lists the mistakes of every variant, and after
 * them one for the union itself; so the list is read backwards.
 */
export function withoutNoise(errors: ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (let end = errors.length - 1; end >= 0; ) {
    const error = errors[end]!;
    const start = isUnion(error) ? startOf(error, errors, end) : end;
    if (start < end) for (const inner of mostTelling(error, errors.slice(start, end)).reverse()) kept.push(inner);
    else if (!echoes.has(error.keyword)) kept.push(error);
    end = start - 1;
  }
  return kept.reverse();
}

const isUnion = ({ keyword }: ErrorObject): boolean => keyword === 'anyOf' || keyword === 'oneOf';

function startOf(union: ErrorObject, errors: ErrorObject[], end: number): number {
  const isInside = (error: ErrorObject) =>
    error.schemaPath.startsWith(`${union.schemaPath}/`) && error.instancePath.startsWith(union.instancePath);
  let start = end;
  while (start > 0 && isInside(errors[start - 1]!)) start--;
  return start;
}

function mostTelling(union: ErrorObject, errors: ErrorObject[]): ErrorObject[] {
  const branches = union.schema as JsonSchema[];
  const depth = union.schemaPath.length + 1;
  const byBranch = Map.groupBy(errors, (error) => Number.parseInt(error.schemaPath.slice(depth), 10));
  const isAbout = (error: ErrorObject) => error.instancePath === union.instancePath;
  const fits = (found: ErrorObject[]) =>
    !found.some((error) => isAbout(error) && ['type', 'const', 'enum'].includes(error.keyword));
  const candidates = [...byBranch].filter(([index]) => branches[index]?.type !== 'null');
  const best = candidates.find(([, found]) => fits(found)) ?? candidates[0];
  return best ? withoutNoise(best[1]) : [union];
}
