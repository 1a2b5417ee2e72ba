import { Route, Switch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { TemplateDetail } from './detail.tsx';
import { EditTemplate, NewTemplate } from './edit.tsx';
import { TemplateList } from './list.tsx';

/** Templates: the list, one of them, and the editor. */
export default function Templates() {
  return (
    <Switch>
      <Route path="/templates" component={TemplateList} />
      <Route path="/templates/new" component={NewTemplate} />
      <Route path="/templates/:uuid/edit">{({ uuid }) => <EditTemplate key={uuid} uuid={uuid} />}</Route>
      <Route path="/templates/:uuid">{({ uuid }) => <TemplateDetail key={uuid} uuid={uuid} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
