import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { DeliveryDetail } = pagesOf(() => import('./detail.tsx'));
const { ListOfDeliveries } = pagesOf(() => import('./list.tsx'));

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
