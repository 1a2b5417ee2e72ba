import { Route, Switch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { BuyNumber } from './buy.tsx';
import { NumberDetail } from './detail.tsx';
import { NumberFacts } from './facts.tsx';
import { NumberList } from './list.tsx';

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
