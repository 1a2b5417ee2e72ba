import { Tabs } from '@mantine/core';
import { Route, Switch, useLocation } from 'wouter';
import { Page } from '../../parts/index.ts';
import { Later } from '../../parts/loading/later.tsx';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { InsightConfig } = pagesOf(() => import('./config.tsx'));
const { InsightFigures } = pagesOf(() => import('./figures.tsx'));
const { Noticed } = pagesOf(() => import('./noticed.tsx'));

const tabs = [
  { path: '/insights', title: 'Figures' },
  { path: '/insights/noticed', title: 'Alerts' },
  { path: '/insights/settings', title: 'Alert settings' },
];

/** Figures of the last days, and what is watched. */
export default function Insights() {
  const [location, navigate] = useLocation();
  if (!tabs.some(({ path }) => path === location)) return <NotFound />;
  return (
    <Page title="Insights" description="Volumes, and who is waiting for a reply.">
      <Tabs value={location} onChange={(path) => path && navigate(path)}>
        <Tabs.List mb="md">
          {tabs.map(({ path, title }) => (
            <Tabs.Tab key={path} value={path}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={location}>
          <Later>
            <Switch>
              <Route path="/insights" component={InsightFigures} />
              <Route path="/insights/noticed" component={Noticed} />
              <Route path="/insights/settings" component={InsightConfig} />
            </Switch>
          </Later>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
