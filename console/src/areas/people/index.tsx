import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { PersonDetail } = pagesOf(() => import('./detail.tsx'));
const { FindPerson } = pagesOf(() => import('./find.tsx'));

/** Everything that is known of one person, over all channels. */
export default function People() {
  return (
    <Switch>
      <Route path="/people" component={FindPerson} />
      <Route path="/people/:number">
        {({ number }) => <PersonDetail key={number} number={decodeURIComponent(number)} />}
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
