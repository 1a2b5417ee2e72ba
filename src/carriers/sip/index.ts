export { makeSip, type SipVoice } from './engine.ts';
