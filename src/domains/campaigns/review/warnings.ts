import type { Deps } from '../../../deps.ts';
import { findAccountLinks } from '../../sms/index.ts';
import { findLanguages } from '../../templates/index.ts';
import { findChatSender } from '../feed/channels.ts';
import type { CampaignFields } from '../schemas.ts';
import type { CampaignReview } from './schemas.ts';

/** What to know before launching this, one sentence each. */
export async function warningsOf(
  deps: Deps,
  accountId: string,
  campaign: CampaignFields,
  review: Omit<CampaignReview, 'warnings'>,
): Promise<string[]> {
  return [
    ...(review.people === 0 ? [nobody(review)] : []),
    ...(await linkWarnings(deps, accountId, campaign)),
    ...(await templateWarnings(deps, accountId, campaign)),
    ...review.missing.map((one) => missingSentence(one, review.people, campaign)),
    ...(review.people > 0 && review.received.people === review.people
      ? ['Everyone has already received this message from an earlier launch.']
      : []),
  ];
}

const nobody = ({ audience }: { audience: number }): string =>
  audience === 0
    ? 'Nobody is on the lists, so nobody gets it.'
    : 'Everybody on the lists is left out, so nobody gets it.';

function missingSentence(
  { placeholder, people, similar }: CampaignReview['missing'][number],
  all: number,
  { template }: CampaignFields,
): string {
  const whom = people === all ? 'No recipient has' : `${people} of ${all} recipients have no`;
  const value = people === all ? 'a value' : 'value';
  const hint = similar ? ` Did you mean {{ ${similar} }}?` : '';
  return `${whom} ${value} for {{ ${placeholder} }}; it will be ${template ? 'sent as “-”' : 'left empty'}.${hint}`;
}

async function linkWarnings(deps: Deps, accountId: string, { channel }: CampaignFields): Promise<string[]> {
  if (channel !== 'SMS' || (await findAccountLinks(deps, [accountId])).get(accountId)) return [];
  return ['The account has no SMS link: the launch would pause itself.'];
}

/** A launch whose template the platform does not accept pauses itself at once. */
async function templateWarnings(
  deps: Deps,
  accountId: string,
  { channel, template, sender }: CampaignFields,
): Promise<string[]> {
  if (channel !== 'CHATAPP' || !template) return [];
  const account = await findChatSender(deps, accountId, sender);
  // A carrier that takes unknown templates into use has nothing to approve.
  if (!account || deps.carriers.get(account.carrier).adoptsUnknown) return [];
  const [found] = await findLanguages(deps, [
    {
      accountId,
      chatappAccount: account.uuid,
      carrier: account.carrier,
      name: template.template_name,
      languageCode: template.language_code,
      defaultLanguageCode: account.language_code,
    },
  ]);
  return found ? [] : [`The template “${template.template_name}” is not approved: the launch would pause itself.`];
}
