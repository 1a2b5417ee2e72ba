import { Route, Switch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { NewMessage } from './compose/new.tsx';
import { MessageDetail } from './detail.tsx';
import { MessageList } from './list.tsx';

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
