import { Route, Switch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { CallDetail } from './detail.tsx';
import { CallList } from './list.tsx';

/** Every call, in and out. */
export default function Calls() {
  return (
    <Switch>
      <Route path="/calls" component={CallList} />
      <Route path="/calls/:uuid">{({ uuid }) => <CallDetail key={uuid} uuid={uuid} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
