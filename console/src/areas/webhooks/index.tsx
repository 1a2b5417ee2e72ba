import { Redirect, Route, Switch } from 'wouter';
import { useMay } from '../../parts/index.ts';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { WebhookDetail } = pagesOf(() => import('./detail.tsx'));
const { EditWebhook, NewWebhook } = pagesOf(() => import('./edit.tsx'));
const { FindWebhook } = pagesOf(() => import('./find.tsx'));
const { ListOfWebhooks } = pagesOf(() => import('./list.tsx'));

/** The first list that one may see. */
const First = () =>
  useMay('chatapp:read') ? <ListOfWebhooks key="chat" kind="chat" /> : <Redirect to="/webhooks/numbers" replace />;

/** Addresses of yours that hear what happens. */
export default function Webhooks() {
  return (
    <Switch>
      <Route path="/webhooks">
        <First />
      </Route>
      <Route path="/webhooks/numbers">
        <ListOfWebhooks key="number" kind="number" />
      </Route>
      <Route path="/webhooks/new/:kind">
        {({ kind }) => <NewWebhook kind={kind === 'number' ? 'number' : 'chat'} />}
      </Route>
      <Route path="/webhooks/chat/:id/edit">{({ id }) => <EditWebhook key={id} kind="chat" id={id} />}</Route>
      <Route path="/webhooks/number/:id/edit">{({ id }) => <EditWebhook key={id} kind="number" id={id} />}</Route>
      <Route path="/webhooks/chat/:id">{({ id }) => <WebhookDetail key={id} kind="chat" id={id} />}</Route>
      <Route path="/webhooks/number/:id">{({ id }) => <WebhookDetail key={id} kind="number" id={id} />}</Route>
      <Route path="/webhooks/:uuid">{({ uuid }) => <FindWebhook uuid={uuid} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
