// Sixteen digits or more that stand where a number can stand; that a text looks like it costs time only.
const longInteger = /[:,[]\s*-?\d{16}/;

/** JSON whose whole numbers beyond 2^53 are read as their digits: ids of templates are printed as numbers. */
export function parseExactly(text: string): unknown {
  const plain: unknown = JSON.parse(text);
  if (!longInteger.test(text)) return plain;
  try {
    return JSON.parse(text, digitsOfLong);
  } catch {
    // It was valid a moment ago: it is nested more deeply than the engine can walk, and not the platform's.
    return plain;
  }
}

function digitsOfLong(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  return context?.source !== undefined && /^-?\d+$/.test(context.source) ? context.source : value;
}
