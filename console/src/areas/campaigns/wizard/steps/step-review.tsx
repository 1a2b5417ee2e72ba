import { Alert, Button, Grid, Group, Stack } from '@mantine/core';
import { IconRocket } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Section } from '../../../../parts/index.ts';
import { useLaunch } from '../../launch/use-launch.ts';
import { Settings } from '../../settings.tsx';
import { ServerPreview } from '../content/server-preview.tsx';
import { TestSend } from '../content/test-send.tsx';
import type { Campaign } from '../form.ts';
import { ReviewFacts } from '../review/review-facts.tsx';
import { isLive } from '../shares.ts';

/** All of it once more, as the server has it, and the button that sends it. */
export function StepReview({ campaign, onEdit }: { campaign: Campaign; onEdit(step: number): void }) {
  const launch = useLaunch(campaign);
  const busy = isLive(campaign.status);
  return (
    <Stack>
      {busy && <Alert color="blue">A launch is still in progress. Changes apply to the next one.</Alert>}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack>
            <ReviewFacts campaign={campaign} />
            <Section title={campaign.name} description="It is saved.">
              <Settings campaign={campaign} />
            </Section>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack>
            <ServerPreview campaign={campaign} />
            <TestSend campaign={campaign} />
          </Stack>
        </Grid.Col>
      </Grid>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => onEdit(3)}>
          Back
        </Button>
        <Button variant="default" component={Link} href={`/campaigns/${campaign.uuid}`}>
          {busy ? 'Done' : 'Launch later'}
        </Button>
        {!busy && (
          <Button leftSection={<IconRocket size={16} />} loading={launch.isPending} onClick={launch.ask}>
            {launch.isLater ? 'Schedule the launch' : 'Launch'}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
