import { allows, type Scope } from '../../platform/http/route.ts';
import type { NewEvent } from './queries.ts';

/** The group of scopes that an event belongs to, by what it is about. */
const groups: Record<NewEvent['subjectType'], string> = {
  account: 'account',
  audio_file: 'voice',
  call: 'calls',
  campaign: 'campaigns',
  campaign_log: 'campaigns',
  chat_intro: 'chatapp',
  chatapp_account: 'inbox',
  contact: 'contacts',
  flow: 'chatapp',
  job: 'jobs',
  lead: 'leads',
  list: 'contacts',
  media: 'chatapp',
  message: 'inbox',
  number: 'number',
  opt_out: 'optouts',
  safeguard: 'account',
  sip_trunk: 'voice',
  sms: 'sms',
  sms_link: 'sms',
  template: 'inbox',
  webhook: 'webhook',
};

/**
 * Whether somebody with these scopes may learn of an event: `account:read` covers the whole timeline, as in `GET /v2/events/`;
 * without it, what happens to a thing is for those who may read the thing.
 */
export function mayFollow(scopes: readonly string[], subjectType: string): boolean {
  if (allows(scopes, 'account:read')) return true;
  const group = groups[subjectType as NewEvent['subjectType']];
  return group !== undefined && allows(scopes, `${group}:read` as Scope);
}
