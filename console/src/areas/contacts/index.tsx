import { Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';

const { ContactDetail } = pagesOf(() => import('./detail.tsx'));
const { EditContact, NewContact } = pagesOf(() => import('./edit.tsx'));
const { ListOfContacts } = pagesOf(() => import('./list.tsx'));
const { UploadContacts } = pagesOf(() => import('./upload/upload.tsx'));

/** The people you write to. */
export default function Contacts() {
  return (
    <Switch>
      <Route path="/contacts" component={ListOfContacts} />
      <Route path="/contacts/new" component={NewContact} />
      <Route path="/contacts/upload" component={UploadContacts} />
      <Route path="/contacts/:uuid">{({ uuid }) => <ContactDetail key={uuid} uuid={uuid} />}</Route>
      <Route path="/contacts/:uuid/edit">{({ uuid }) => <EditContact key={uuid} uuid={uuid} />}</Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
