import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { JobDetail } = pagesOf(() => import('./detail.tsx'));
const { ListOfJobs } = pagesOf(() => import('./list.tsx'));
const { NewJob } = pagesOf(() => import('./new.tsx'));

/** Long work: imports, exports, messages to many. */
export default function Jobs() {
  return (
    <Switch>
      <Route path="/jobs" component={ListOfJobs} />
      <Route path="/jobs/new" component={NewJob} />
      <Route path="/jobs/:id">{({ id }) => <JobDetail key={id} id={id} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
