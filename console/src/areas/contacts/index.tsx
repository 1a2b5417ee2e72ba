import { Route, Switch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { ContactDetail } from './detail.tsx';
import { EditContact, NewContact } from './edit.tsx';
import { ListOfContacts } from './list.tsx';
import { UploadContacts } from './upload/upload.tsx';

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
