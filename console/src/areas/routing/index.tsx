import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { EditRouting, NewRouting } = pagesOf(() => import('./edit.tsx'));
const { RoutingList } = pagesOf(() => import('./list.tsx'));

/** Rules that say who takes a call or a message. */
export default function Routing() {
  return (
    <Switch>
      <Route path="/routing" component={RoutingList} />
      <Route path="/routing/new" component={NewRouting} />
      <Route path="/routing/:uuid">{({ uuid }) => <EditRouting key={uuid} uuid={uuid} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
