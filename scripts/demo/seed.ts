import { isFilled, nameAccount, settleIn } from './account.ts';
import { makeApi } from './api.ts';
import { fillAudience } from './audience.ts';
import { ring } from './calls.ts';
import { answerCampaign, campaign } from './campaigns.ts';
import { openChannel } from './channel.ts';
import { letSomeExpire, meetPeople, printLinks } from './intros.ts';
import { submitJobs } from './jobs.ts';
import { talk } from './messages.ts';
import { connectLines } from './numbers.ts';
import { text } from './sms.ts';
import { makeStory, scales } from './story.ts';
import { drawRoutes, hireTeam } from './team.ts';
import { delivered, listen, type Receiver } from './webhooks.ts';

export interface SeedOptions {
  url: string;
  token: string;
  receiver: Receiver;
  scale?: keyof typeof scales;
  tell?: (line: string) => void;
}

/** Fills the account of the token with the whole business, chapter by chapter; one that is filled is left alone. */
export async function seed({ url, token, receiver, scale = 'full', tell = () => {} }: SeedOptions): Promise<void> {
  const story = makeStory(makeApi(url, token), scales[scale], tell);
  if (await isFilled(story)) return tell('Orchard & Vale is here already.');
  await settleIn(story);
  const hooks = await listen(story, receiver);
  const channel = await openChannel(story);
  const lines = await connectLines(story, hooks);
  const audience = await fillAudience(story);
  const team = await hireTeam(story);
  await drawRoutes(story, team, lines, audience);
  // Before a week goes by: what happens within a call is told by the clock of the sandbox.
  await ring(story, lines);
  const intros = await printLinks(story, channel);
  await letSomeExpire(story, intros);
  await meetPeople(story, intros);
  await text(story, lines);
  const log = await campaign(story, audience, lines);
  await talk(story, channel);
  await answerCampaign(story, lines);
  await submitJobs(story, log, lines);
  await delivered(story);
  await nameAccount(story);
}
