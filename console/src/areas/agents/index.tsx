import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { EditAgent, NewAgent } = pagesOf(() => import('./edit.tsx'));
const { AgentList } = pagesOf(() => import('./list.tsx'));

/** People who take calls and chats. */
export default function Agents() {
  return (
    <Switch>
      <Route path="/agents" component={AgentList} />
      <Route path="/agents/new" component={NewAgent} />
      <Route path="/agents/:uuid">{({ uuid }) => <EditAgent key={uuid} uuid={uuid} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
