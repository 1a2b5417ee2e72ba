import { Route, Switch } from 'wouter';
import { lazily } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';
import { CampaignDetail } from './detail.tsx';
import { LaunchPage } from './launch/launch-page.tsx';
import { ListOfCampaigns } from './list.tsx';

const NewCampaign = lazily(() => import('./wizard/edit.tsx').then(({ NewCampaign }) => ({ default: NewCampaign })));
const EditCampaign = lazily(() => import('./wizard/edit.tsx').then(({ EditCampaign }) => ({ default: EditCampaign })));

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
