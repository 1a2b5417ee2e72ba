/** The types of the API, by path: what a list holds, what an object is, what a request takes. */
import type { components, paths } from '../../../sdk/src/schema.d.ts';

export type { paths };

/** A model of the API by its name: `Schema<'Message'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;
type Good<R> = Json<R[keyof R & (200 | 201 | 202)]>;

type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>;
export type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: { responses: unknown } } ? P : never;
}[keyof paths];

/** What a successful answer of this operation holds; `undefined` for those that answer 204. */
export type Answer<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: infer R } ? ([Good<R>] extends [never] ? undefined : Good<R>) : never;

/** Paths that answer with a page of rows. */
export type ListPath = {
  [P in keyof paths]: paths[P] extends {
    get: { responses: { 200: { content: { 'application/json': { results: unknown[] } } } } };
  }
    ? P
    : never;
}[keyof paths];

/** One row of that list. */
export type Row<P extends ListPath> = Answer<P, 'get'> extends { results: (infer R)[] } ? R : never;

/** The query string that an operation takes. What comes from the address bar is text, so text is taken everywhere. */
export type Query<P extends keyof paths, M extends Method = 'get'> =
  Operation<P, M> extends { parameters: { query?: infer Q } }
    ? { [K in keyof NonNullable<Q>]?: NonNullable<Q>[K] | string | undefined }
    : Record<string, never>;

/** The `{…}` of a path. */
export type Params<P extends keyof paths, M extends Method = 'get'> =
  Operation<P, M> extends { parameters: { path: infer X } } ? { [K in keyof X]: string } : Record<string, never>;

export type Body<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { requestBody?: infer B } ? Json<NonNullable<B>> : never;
