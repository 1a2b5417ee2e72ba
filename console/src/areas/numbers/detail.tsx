import { Button, Tabs } from '@mantine/core';
import { IconMessage, IconPhone } from '@tabler/icons-react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { useAct, useOne } from '../../api/index.ts';
import { countryName } from '../../parts/fields/country.ts';
import { confirm, Loaded, Page, usePhoneFormat } from '../../parts/index.ts';
import { Later } from '../../parts/loading/later.tsx';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NumberSettings } from './settings.tsx';

const { NumberHistory } = pagesOf(() => import('./history.tsx'));
const { NumberInsights } = pagesOf(() => import('./insights.tsx'));

const released =
  'Calls and SMS to it are rejected and its settings are deleted. Records are kept. After 30 days, anyone can buy the number.';

/** One number: what it does, how it is used, and what was done to it. */
export function NumberDetail({ number }: { number: string }) {
  const [, navigate] = useLocation();
  const [params, setParams] = useSearchParams();
  const say = usePhoneFormat();
  const query = useOne('/v2/number/{number}/', { number });
  const release = useAct('delete', '/v2/number/{number}/', {
    invalidates: ['/v2/number/'],
    done: 'Released.',
    onDone: () => navigate('/numbers'),
  });
  const ask = async () => {
    if (await confirm({ title: `Release ${say(number)}?`, text: released, button: 'Release' }))
      release.mutate({ params: { number } });
  };
  const tab = params.get('tab') ?? 'settings';
  const of = encodeURIComponent(number);
  return (
    <Loaded query={query} what="number">
      {(data) => (
        <Page
          title={say(data.number)}
          trail={[{ title: 'Numbers', href: '/numbers' }]}
          description={countryName(data.country)}
          actions={
            <>
              <Button
                variant="default"
                component={Link}
                href={`/calls?number=${of}`}
                leftSection={<IconPhone size={16} />}
              >
                Calls
              </Button>
              <Button
                variant="default"
                component={Link}
                href={`/sms?number=${of}`}
                leftSection={<IconMessage size={16} />}
              >
                SMS
              </Button>
              {release.may && (
                <Button color="red" variant="light" loading={release.isPending} onClick={() => void ask()}>
                  Release
                </Button>
              )}
            </>
          }
        >
          <Tabs
            value={tab}
            onChange={(value) => setParams(value && value !== 'settings' ? { tab: value } : {}, { replace: true })}
            keepMounted={false}
          >
            <Tabs.List mb="md">
              <Tabs.Tab value="settings">Settings</Tabs.Tab>
              <Tabs.Tab value="insights">Insights</Tabs.Tab>
              <Tabs.Tab value="history">History</Tabs.Tab>
            </Tabs.List>
            {/* What was typed there stays while one looks at the others. */}
            <Tabs.Panel value="settings" keepMounted>
              <NumberSettings number={data} />
            </Tabs.Panel>
            <Tabs.Panel value="insights">
              <Later>
                <NumberInsights number={data.number} />
              </Later>
            </Tabs.Panel>
            <Tabs.Panel value="history">
              <Later>
                <NumberHistory number={data} />
              </Later>
            </Tabs.Panel>
          </Tabs>
        </Page>
      )}
    </Loaded>
  );
}
