import { Route, Switch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { EditAgent, NewAgent } from './edit.tsx';
import { AgentList } from './list.tsx';

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
