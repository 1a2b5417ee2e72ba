import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { NewMessage } = pagesOf(() => import('./compose/new.tsx'));
const { MessageDetail } = pagesOf(() => import('./detail.tsx'));
const { MessageList } = pagesOf(() => import('./list.tsx'));

/** Messages: the list, one of them, and a new one. */
export default function Messages() {
  return (
    <Switch>
      <Route path="/messages" component={MessageList} />
      <Route path="/messages/new" component={NewMessage} />
      <Route path="/messages/:uuid">{({ uuid }) => <MessageDetail key={uuid} uuid={uuid} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
