import { GraphError } from './errors.ts';

/** Looks at one value of a request and throws the platform's error if it does not like it. */
export type Check = (value: unknown, path: string) => void;

export type Fields = Record<string, unknown>;

const child = (path: string, key: string | number): string =>
  path === '' ? String(key) : `${path}[${typeof key === 'number' ? key : `'${key}'`}]`;

export const invalid = (details: string, code = 100): GraphError => new GraphError(code, details);

/** An object with these fields and no others. Fields of `optional` may be left out, null counts as left out. */
export function record(required: Record<string, Check>, optional: Record<string, Check> = {}): Check {
  const checks = new Map(Object.entries({ ...required, ...optional }));
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw invalid(`Param ${path} must be a JSON object.`);
    }
    for (const key of Object.keys(value)) {
      if (!checks.has(key)) throw invalid(`Unexpected key "${key}" on param "${path}".`);
    }
    for (const [key, check] of checks) {
      const held = (value as Fields)[key];
      if (held !== undefined && held !== null) check(held, child(path, key));
      else if (key in required) throw invalid(`The parameter ${child(path, key)} is required.`, 131008);
    }
  };
}

/** A string of that many characters. */
export function string(max = 65_536, min = 1): Check {
  return (value, path) => {
    if (typeof value !== 'string') throw invalid(`Param ${path} must be a string.`);
    if (value.length < min) throw invalid(`Param ${path} must not be empty.`, 131009);
    if (value.length > max) throw invalid(`Param ${path} must be at most ${max} characters long.`);
  };
}

export const boolean: Check = (value, path) => {
  if (typeof value !== 'boolean') throw invalid(`Param ${path} must be a boolean.`);
};

/** A number, or digits in a string: the platform takes both for coordinates and indexes. */
export function number(min: number, max: number): Check {
  return (value, path) => {
    const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof read !== 'number' || !(read >= min && read <= max)) {
      throw invalid(`Param ${path} must be a number from ${min} to ${max}.`, 131009);
    }
  };
}

export function list(item: Check, min: number, max: number): Check {
  return (value, path) => {
    if (!Array.isArray(value)) throw invalid(`Param ${path} must be an array.`);
    if (value.length < min || value.length > max) {
      throw invalid(`Param ${path} must have ${min} to ${max} elements, not ${value.length}.`, 131009);
    }
    for (const [index, element] of value.entries()) item(element, child(path, index));
  };
}

export function oneOf(...allowed: string[]): Check {
  return (value, path) => {
    if (typeof value !== 'string' || !allowed.includes(value)) {
      throw invalid(`Param ${path} must be one of {${allowed.join(', ')}} - got "${String(value)}".`);
    }
  };
}

export const link: Check = (value, path) => {
  if (typeof value !== 'string' || !/^https?:\/\/[^\s/]+/.test(value) || !URL.canParse(value)) {
    throw invalid(`Param ${path} is not a valid URI.`);
  }
};

export const matching = (pattern: RegExp, what: string): Check => {
  return (value, path) => {
    if (typeof value !== 'string' || !pattern.test(value)) throw invalid(`Param ${path} must be ${what}.`, 131009);
  };
};

/** Any object: what is inside belongs to the caller. */
export const anyObject: Check = (value, path) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(`Param ${path} must be a JSON object.`);
  }
};

/** All of them, in order. */
export function both(...checks: Check[]): Check {
  return (value, path) => {
    for (const check of checks) check(value, path);
  };
}

/** Exactly one of these fields is there. */
export function exactlyOne(...keys: string[]): Check {
  return (value, path) => {
    const given = keys.filter((key) => (value as Fields)[key] !== undefined);
    if (given.length === 1) return;
    const wanted = keys.map((key) => child(path, key)).join(' or ');
    throw given.length === 0
      ? invalid(`The parameter ${wanted} is required.`, 131008)
      : invalid(`Only one of ${wanted} may be given.`);
  };
}

/** No two elements share this value. */
export function unique(of: (element: never) => unknown, what: string): Check {
  return (value, path) => {
    const values = (value as never[]).map(of);
    if (new Set(values).size < values.length) throw invalid(`Param ${path}: ${what} must be unique.`, 131009);
  };
}

/** Picks the check by the value of a field. */
export function variant(key: string, checks: Record<string, Check>): Check {
  const known = oneOf(...Object.keys(checks));
  return (value, path) => {
    anyObject(value, path);
    const held = (value as Fields)[key];
    if (held === undefined) throw invalid(`The parameter ${child(path, key)} is required.`, 131008);
    known(held, child(path, key));
    checks[held as string]!(value, path);
  };
}
