/** Reading free JSON, such as `message_data`, without believing anything about it. */
export type Fields = Record<string, unknown>;

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const inside = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
export const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(inside) : []);
