import { Stack } from '@mantine/core';
import { useOne } from '../../../api/index.ts';
import { Loaded, Section } from '../../../parts/index.ts';
import { Later } from '../../../parts/loading/later.tsx';
import { pagesOf } from '../../../parts/loading/lazily.ts';
import { WhenSeen } from '../../../parts/page/when-seen.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { SafeguardsForm } from './form.tsx';
import { TryIt } from './try-it.tsx';

const { Incidents } = pagesOf(() => import('./incidents.tsx'));

/** Where and how much the account may send, what was refused, and why something would be. */
export function SafeguardSettings() {
  const query = useOne('/v2/account/safeguards/');
  return (
    <SettingsPage
      tab="/settings/safeguards"
      description="Limits on where and how much this account sends and calls. They hold for API requests, campaigns, intros and forwarded calls."
    >
      <Loaded query={query}>
        {(safeguards) => (
          <Stack>
            <SafeguardsForm safeguards={safeguards} />
            <TryIt />
            <Section title="Refused">
              <WhenSeen height={320}>
                <Later>
                  <Incidents />
                </Later>
              </WhenSeen>
            </Section>
          </Stack>
        )}
      </Loaded>
    </SettingsPage>
  );
}
