import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { LeadDetail } = pagesOf(() => import('./detail.tsx'));
const { ListOfLeads } = pagesOf(() => import('./list.tsx'));
const { NewLead } = pagesOf(() => import('./new.tsx'));

export default function Leads() {
  return (
    <Switch>
      <Route path="/leads" component={ListOfLeads} />
      <Route path="/leads/new" component={NewLead} />
      <Route path="/leads/:number">
        {({ number }) => <LeadDetail key={number} number={decodeURIComponent(number)} />}
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
