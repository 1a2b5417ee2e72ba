import { Route, Switch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { EditRouting, NewRouting } from './edit.tsx';
import { RoutingList } from './list.tsx';

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
