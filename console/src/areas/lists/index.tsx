import { Route, Switch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { ListDetail } from './detail.tsx';
import { ListOfLists } from './list.tsx';
import { NewList } from './new.tsx';

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
