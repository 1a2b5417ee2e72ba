import { Route, Switch } from 'wouter';
import { lazily } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';
import { IntroDetail } from './detail.tsx';
import { ListOfIntros } from './list.tsx';
import { SessionDetail } from './sessions/session.tsx';

const NewIntro = lazily(() => import('./editor/edit.tsx').then(({ NewIntro }) => ({ default: NewIntro })));
const EditIntro = lazily(() => import('./editor/edit.tsx').then(({ EditIntro }) => ({ default: EditIntro })));

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
