import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAct } from '../../../api/index.ts';
import { useHere } from '../../../parts/account.tsx';
import { toZone } from '../../../parts/campaigns/zoned.ts';
import { sayExactly } from '../../../parts/facts/time.tsx';
import { confirm } from '../../../parts/index.ts';
import type { Campaign } from '../wizard/form.ts';
import { reviewQuery, sayReview } from '../wizard/review/use-review.ts';

const touched = ['/v2/campaigns/', '/v2/campaign-logs/'];

/** Launches a campaign, after saying to how many it goes. */
export function useLaunch(campaign: Campaign) {
  const [, navigate] = useLocation();
  const { timeZone } = useHere();
  const client = useQueryClient();
  const [isCounting, setCounting] = useState(false);
  const launch = useAct('post', '/v2/campaigns/{uuid}/launch/', {
    invalidates: touched,
    done: 'Launched.',
    onDone: () => navigate(`/campaigns/${campaign.uuid}`),
  });
  const isLater = campaign.send_at !== null && Date.parse(campaign.send_at) > Date.now();
  const sayWhom = async (): Promise<string> => {
    setCounting(true);
    try {
      const review = await client.fetchQuery(reviewQuery(campaign));
      const warned = review.warnings.filter((text) => !text.startsWith('Everybody already'));
      return [sayReview(review, (at) => sayExactly(new Date(at), timeZone)), ...warned].join(' ');
    } catch {
      // The launch itself says what is wrong with the lists.
      return 'It will go to everybody on its lists.';
    } finally {
      setCounting(false);
    }
  };
  const ask = async () => {
    const whom = await sayWhom();
    const begins = isLater ? `${toZone(campaign.send_at ?? '', timeZone).replace('T', ' at ')} (${timeZone})` : 'now';
    const yes = await confirm({
      title: `Launch “${campaign.name}”?`,
      text: `${whom} It begins ${begins}. You can pause or cancel it, but messages already sent cannot be recalled.`,
      button: isLater ? 'Schedule' : 'Launch',
      harmless: true,
    });
    if (yes) launch.mutate({ params: { uuid: campaign.uuid }, body: {} });
  };
  return { ask: () => void ask(), isPending: isCounting || launch.isPending, isLater };
}

/** Pause, resume and cancel of the launch that is under way. */
export function useControls(campaign: Campaign) {
  const params = { uuid: campaign.uuid };
  const pause = useAct('post', '/v2/campaigns/{uuid}/pause/', { invalidates: touched, done: 'Paused.' });
  const resume = useAct('post', '/v2/campaigns/{uuid}/resume/', { invalidates: touched, done: 'Resumed.' });
  const cancel = useAct('post', '/v2/campaigns/{uuid}/cancel/', { invalidates: touched, done: 'Cancelled.' });
  const askCancel = async () => {
    const question = {
      title: `Cancel the launch of “${campaign.name}”?`,
      text: 'Queued messages are cancelled and the launch ends. Sent messages are not affected.',
      button: 'Cancel the launch',
    };
    if (await confirm(question)) cancel.mutate({ params });
  };
  return {
    pause: () => pause.mutate({ params, body: {} }),
    resume: () => resume.mutate({ params }),
    cancel: () => void askCancel(),
    isPending: pause.isPending || resume.isPending || cancel.isPending,
  };
}
