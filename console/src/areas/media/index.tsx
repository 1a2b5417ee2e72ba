import { Route, Switch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { MediaDetail } from './detail.tsx';
import { MediaList } from './list.tsx';

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
