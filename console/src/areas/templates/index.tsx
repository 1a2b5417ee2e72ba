import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { TemplateDetail } = pagesOf(() => import('./detail.tsx'));
const { EditTemplate, NewTemplate } = pagesOf(() => import('./edit.tsx'));
const { TemplateList } = pagesOf(() => import('./list.tsx'));

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
