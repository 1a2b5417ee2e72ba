/** The way to the API for every area. */
export { api, call, serverUrl, urlOf } from './client.ts';
export { type Fields, inside, listOf, textOf } from './fields.ts';
export { type List, oneOf, useAct, useList, useOne } from './hooks.ts';
export { mayCall } from './may.ts';
export { ApiProblem, sayProblem } from './problem.ts';
export { invalidate } from './refresh.ts';
export { type Session, sessionQuery } from './session.ts';
export type { Answer, Body, ListPath, Params, PathsWith, Query, Row, Schema } from './types.ts';
export { keepWarnings, warningsAbout } from './warnings.ts';
