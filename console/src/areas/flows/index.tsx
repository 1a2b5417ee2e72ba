import { Route, Switch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { FlowDetail } from './detail.tsx';
import { EditFlow } from './edit.tsx';
import { FlowList } from './list.tsx';
import { NewFlow } from './new.tsx';

/** Flows: the list, one of them, and a new one. */
export default function Flows() {
  return (
    <Switch>
      <Route path="/flows" component={FlowList} />
      <Route path="/flows/new" component={NewFlow} />
      <Route path="/flows/:uuid/edit">{({ uuid }) => <EditFlow key={uuid} uuid={uuid} />}</Route>
      <Route path="/flows/:uuid">{({ uuid }) => <FlowDetail key={uuid} uuid={uuid} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
