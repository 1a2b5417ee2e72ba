import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { ListDetail } = pagesOf(() => import('./detail.tsx'));
const { ListOfLists } = pagesOf(() => import('./list.tsx'));
const { NewList } = pagesOf(() => import('./new.tsx'));

/** Lists of contacts. */
export default function Lists() {
  return (
    <Switch>
      <Route path="/lists" component={ListOfLists} />
      <Route path="/lists/new" component={NewList} />
      <Route path="/lists/:uuid">{({ uuid }) => <ListDetail key={uuid} uuid={uuid} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
