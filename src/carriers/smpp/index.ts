export { makeSmpp } from './carrier.ts';
