import { Route, Switch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { AudioDetail } from './detail.tsx';
import { AudioList } from './list.tsx';

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
