export { type AsteriskSettings, type AsteriskVoice, makeAsterisk } from './engine.ts';
