export { buyNumbers, countryErrors } from './buy.ts';
export { newSpeechErrors, patchSpeechErrors } from './check.ts';
export { knowledgeOf, timeZoneOf } from './insights/knowledge.ts';
export { countTraffic, eraseCaller, type TrafficRow, trafficParameter, trafficText } from './insights/traffic.ts';
export {
  type CalledNumber,
  findAccountsWithNumbers,
  findCalledAnyAccount,
  findCalledNumber,
  findOwnNumbers,
  isWebhookOfNumber,
  markCalled,
  numbersPlaying,
  type OwnNumber,
} from './own-numbers.ts';
export { ensureNumberPool } from './pool/fill.ts';
export { releaseAllNumbers } from './release.ts';
export { routes as numberRoutes } from './routes.ts';
export { NumberCreate, NumberUpdateItem, numberEvents, presentNumber, presentStored } from './schemas.ts';
export { patch, updateNumbers } from './update.ts';
