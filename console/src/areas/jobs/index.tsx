import { Route, Switch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { JobDetail } from './detail.tsx';
import { ListOfJobs } from './list.tsx';
import { NewJob } from './new.tsx';

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
