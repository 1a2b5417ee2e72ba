import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { FlowDetail } = pagesOf(() => import('./detail.tsx'));
const { EditFlow } = pagesOf(() => import('./edit.tsx'));
const { FlowList } = pagesOf(() => import('./list.tsx'));
const { NewFlow } = pagesOf(() => import('./new.tsx'));

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
