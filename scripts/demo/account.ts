import type { Json } from './api.ts';
import { business, senders } from './cast.ts';
import type { Story } from './story.ts';

const officeHours = [{ start: '09:00', end: '18:00' }];
export const week = {
  monday: officeHours,
  tuesday: officeHours,
  wednesday: officeHours,
  thursday: [{ start: '09:00', end: '20:00' }],
  friday: officeHours,
};

/** How the house is set up. Its name comes last of all, see `nameAccount`. */
export async function settleIn({ api, tell }: Story): Promise<void> {
  await api.patch('/v2/account/', {
    default_country: 'GB',
    time_zone: 'Europe/London',
    language_code: 'en_GB',
    quiet_hours: { start: '21:00', end: '08:00' },
  });
  await api.put('/v2/insights-config/', {
    missed_call_window_minutes: 60,
    reply_time_target_minutes: 15,
    keyword_groups: [
      { name: 'Complaints', keywords: ['complaint', 'not happy', 'refund', 'still waiting'] },
      { name: 'Ready to buy', keywords: ['cash buyer', 'make an offer', 'asking price'] },
      { name: 'Repairs', keywords: ['boiler', 'leak', 'mould'] },
    ],
    business_hours: { ...week, saturday: [{ start: '10:00', end: '16:00' }] },
    digest: { enabled: true, hour: 8 },
  });
  await api.post('/v2/auth/tokens/', { name: 'Website', scopes: ['chatapp:read', 'chatapp:write'] });
  tell('The account: London time, quiet hours, what to be told about.');
}

/** The name says that everything is there. Where there are senders and no name, a filling broke off in the middle. */
export async function isFilled({ api }: Pick<Story, 'api'>): Promise<boolean> {
  if ((await api.get('/v2/account/')).name === business) return true;
  const { results } = await api.get('/v2/chatapp/accounts/?page_size=200');
  if (results.some(({ chatapp_number }: Json) => chatapp_number === senders.sales)) {
    throw new Error('This account was filled in part, by a run that broke off. Begin with an empty data directory.');
  }
  return false;
}

export const nameAccount = ({ api }: Story): Promise<unknown> => api.patch('/v2/account/', { name: business });
