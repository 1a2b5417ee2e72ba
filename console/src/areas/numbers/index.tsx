import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { BuyNumber } = pagesOf(() => import('./buy.tsx'));
const { NumberDetail } = pagesOf(() => import('./detail.tsx'));
const { NumberFacts } = pagesOf(() => import('./facts.tsx'));
const { NumberList } = pagesOf(() => import('./list.tsx'));

/** The phone numbers of this account. */
export default function Numbers() {
  return (
    <Switch>
      <Route path="/numbers" component={NumberList} />
      <Route path="/numbers/buy" component={BuyNumber} />
      <Route path="/numbers/facts" component={NumberFacts} />
      <Route path="/numbers/:number">
        {({ number }) => <NumberDetail key={number} number={decodeURIComponent(number)} />}
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
