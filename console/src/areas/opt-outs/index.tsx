import { Route, Switch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { OptOutDetail } from './detail.tsx';
import { OptOutEvents } from './events.tsx';
import { ListOfOptOuts } from './list.tsx';
import { NewOptOut } from './new.tsx';
import { UploadOptOuts } from './upload.tsx';

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
