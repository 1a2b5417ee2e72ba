import { Route, Switch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { DeliveryDetail } from './detail.tsx';
import { ListOfDeliveries } from './list.tsx';

/** What your webhooks were told, and what they answered. */
export default function Deliveries() {
  return (
    <Switch>
      <Route path="/deliveries" component={ListOfDeliveries} />
      <Route path="/deliveries/:uuid">{({ uuid }) => <DeliveryDetail key={uuid} uuid={uuid} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
