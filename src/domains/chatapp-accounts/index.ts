export { type ChatappAccount, findByNumber } from './queries.ts';
export { resolveSenders, type SenderUse } from './resolve.ts';
