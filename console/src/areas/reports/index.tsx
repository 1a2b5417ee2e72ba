import { Route, Switch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { ReportPage } from './report.tsx';
import { SchedulesPage } from './schedules.tsx';

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
