import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { FlowPreview } = pagesOf(() => import('./flow-preview.tsx'));
const { Linked, Phones } = pagesOf(() => import('./phones.tsx'));

/** Phones to try things with; the links of the sandbox lead here. */
export default function PhoneSimulator() {
  return (
    <Switch>
      <Route path="/phone" component={Phones} />
      <Route path="/phone/flow/:id">{({ id }) => <FlowPreview key={id} id={id} />}</Route>
      <Route path="/phone/:number">{({ number }) => <Linked number={number} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
