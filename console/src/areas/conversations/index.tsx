import { Route, Switch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { Inbox } from './inbox.tsx';

/** Conversations: an inbox with a list and a thread. */
export default function Conversations() {
  return (
    <Switch>
      <Route path="/conversations">
        <Inbox />
      </Route>
      <Route path="/conversations/:sender/:person">
        {({ sender, person }) => (
          <Inbox pair={{ sender: decodeURIComponent(sender), person: decodeURIComponent(person) }} />
        )}
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
