import { Redirect, Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { SmsDetail } = pagesOf(() => import('./detail.tsx'));
const { SmsList } = pagesOf(() => import('./list.tsx'));

/** Every SMS, sent and received. */
export default function Sms() {
  return (
    <Switch>
      <Route path="/sms" component={SmsList} />
      <Route path="/sms/senders">
        <Redirect to="/settings/sms-senders" replace />
      </Route>
      <Route path="/sms/:uuid">{({ uuid }) => <SmsDetail key={uuid} uuid={uuid} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
