import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { CallDetail } = pagesOf(() => import('./detail.tsx'));
const { CallList } = pagesOf(() => import('./list.tsx'));

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
