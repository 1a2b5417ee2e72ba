import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { CampaignDetail } = pagesOf(() => import('./detail.tsx'));
const { LaunchPage } = pagesOf(() => import('./launch/launch-page.tsx'));
const { ListOfCampaigns } = pagesOf(() => import('./list.tsx'));
const { EditCampaign, NewCampaign } = pagesOf(() => import('./wizard/edit.tsx'));

/** One message to everybody on your lists. */
export default function Campaigns() {
  return (
    <Switch>
      <Route path="/campaigns" component={ListOfCampaigns} />
      <Route path="/campaigns/new" component={NewCampaign} />
      <Route path="/campaigns/:uuid">{({ uuid }) => <CampaignDetail key={uuid} uuid={uuid} />}</Route>
      <Route path="/campaigns/:uuid/edit">{({ uuid }) => <EditCampaign key={uuid} uuid={uuid} />}</Route>
      <Route path="/campaigns/:uuid/launches/:log">
        {({ uuid, log }) => <LaunchPage key={log} campaign={uuid} uuid={log} />}
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
