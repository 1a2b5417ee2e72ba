import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { OptOutDetail } = pagesOf(() => import('./detail.tsx'));
const { OptOutEvents } = pagesOf(() => import('./events.tsx'));
const { ListOfOptOuts } = pagesOf(() => import('./list.tsx'));
const { NewOptOut } = pagesOf(() => import('./new.tsx'));
const { UploadOptOuts } = pagesOf(() => import('./upload.tsx'));

/** People who want no more messages; they get none. */
export default function OptOuts() {
  return (
    <Switch>
      <Route path="/opt-outs" component={ListOfOptOuts} />
      <Route path="/opt-outs/new" component={NewOptOut} />
      <Route path="/opt-outs/upload" component={UploadOptOuts} />
      <Route path="/opt-outs/history" component={OptOutEvents} />
      <Route path="/opt-outs/:uuid">{({ uuid }) => <OptOutDetail key={uuid} uuid={uuid} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
