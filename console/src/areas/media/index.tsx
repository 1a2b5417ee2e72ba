import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { MediaDetail } = pagesOf(() => import('./detail.tsx'));
const { MediaList } = pagesOf(() => import('./list.tsx'));

/** Media: the list, and one file. */
export default function Media() {
  return (
    <Switch>
      <Route path="/media" component={MediaList} />
      <Route path="/media/:uuid">{({ uuid }) => <MediaDetail key={uuid} uuid={uuid} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
