import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { AudioDetail } = pagesOf(() => import('./detail.tsx'));
const { AudioList } = pagesOf(() => import('./list.tsx'));

/** Sounds that callers hear. */
export default function Audio() {
  return (
    <Switch>
      <Route path="/audio" component={AudioList} />
      <Route path="/audio/:uuid">{({ uuid }) => <AudioDetail key={uuid} uuid={uuid} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
