export { type AsteriskSettings, makeAsterisk } from './engine.ts';
