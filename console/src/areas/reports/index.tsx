import { Route, Switch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { ReportPage } from './report.tsx';

/** Figures of any days, grouped and compared. */
export default function Reports() {
  return (
    <Switch>
      <Route path="/reports" component={ReportPage} />
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
