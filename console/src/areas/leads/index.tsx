import { Route, Switch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { LeadDetail } from './detail.tsx';
import { ListOfLeads } from './list.tsx';
import { NewLead } from './new.tsx';

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
