import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { IntroDetail } = pagesOf(() => import('./detail.tsx'));
const { EditIntro, NewIntro } = pagesOf(() => import('./editor/edit.tsx'));
const { ListOfIntros } = pagesOf(() => import('./list.tsx'));
const { SessionDetail } = pagesOf(() => import('./sessions/session.tsx'));

export default function Intros() {
  return (
    <Switch>
      <Route path="/intros" component={ListOfIntros} />
      <Route path="/intros/new">
        <NewIntro />
      </Route>
      <Route path="/intros/:uuid/edit">{({ uuid }) => <EditIntro key={uuid} uuid={uuid} />}</Route>
      <Route path="/intros/:uuid/sessions/:session">
        {({ uuid, session }) => <SessionDetail key={session} intro={uuid} session={session} />}
      </Route>
      <Route path="/intros/:uuid">{({ uuid }) => <IntroDetail key={uuid} uuid={uuid} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
