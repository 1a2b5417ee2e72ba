import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { ReportPage } = pagesOf(() => import('./report.tsx'));
const { SchedulesPage } = pagesOf(() => import('./schedules.tsx'));

/** Figures of any days, grouped and compared, and those that are made again and again. */
export default function Reports() {
  return (
    <Switch>
      <Route path="/reports" component={ReportPage} />
      <Route path="/reports/schedules" component={SchedulesPage} />
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
