import { Redirect, Route, Switch } from 'wouter';
import { NotFound } from '../../parts/page/not-found.tsx';
import { AccountSettings } from './account.tsx';
import { AuditLog } from './audit/list.tsx';
import { CallbackSecret } from './callback-secret.tsx';
import { ChatAccountDetail } from './chat-accounts/detail.tsx';
import { ListOfChatAccounts } from './chat-accounts/list.tsx';
import { NewChatAccount } from './chat-accounts/new.tsx';
import { ListOfInvitations } from './invitations/list.tsx';
import { NewInvitation } from './invitations/new.tsx';
import { NewRole, RoleDetail } from './roles/form.tsx';
import { ListOfRoles } from './roles/list.tsx';
import { SafeguardSettings } from './safeguards/page.tsx';
import { SandboxSettings } from './sandbox/page.tsx';
import { SecuritySettings } from './security.tsx';
import { SenderNames } from './sender-names.tsx';
import { ProviderDetail } from './single-sign-on/detail.tsx';
import { ListOfProviders } from './single-sign-on/list.tsx';
import { NewProvider } from './single-sign-on/new.tsx';
import { SipTrunkDetail } from './sip-trunks/detail.tsx';
import { ListOfSipTrunks } from './sip-trunks/list.tsx';
import { NewSipTrunk } from './sip-trunks/new.tsx';
import { SmsLinkDetail } from './sms-links/detail.tsx';
import { ListOfSmsLinks } from './sms-links/list.tsx';
import { NewSmsLink } from './sms-links/new.tsx';
import { SmsSenders } from './sms-senders.tsx';
import { useTabs } from './tabs.ts';
import { TenantDetail } from './tenants/detail.tsx';
import { ListOfTenants } from './tenants/list.tsx';
import { NewTenant } from './tenants/new.tsx';
import { ListOfTokens } from './tokens/list.tsx';
import { NewToken } from './tokens/new.tsx';
import { EditUser } from './users/edit.tsx';
import { ListOfUsers } from './users/list.tsx';
import { NewUser } from './users/new.tsx';

/** The first of the settings that one may see. */
function First() {
  const [tab] = useTabs();
  return <Redirect to={tab?.href ?? '/'} replace />;
}

/** What holds for the whole account, and what connects it to the networks. */
export default function Settings() {
  return (
    <Switch>
      <Route path="/settings">
        <First />
      </Route>
      <Route path="/settings/account" component={AccountSettings} />
      <Route path="/settings/users" component={ListOfUsers} />
      <Route path="/settings/users/new" component={NewUser} />
      <Route path="/settings/users/:uuid">{({ uuid }) => <EditUser key={uuid} uuid={uuid} />}</Route>
      <Route path="/settings/security" component={SecuritySettings} />
      <Route path="/settings/single-sign-on" component={ListOfProviders} />
      <Route path="/settings/single-sign-on/new" component={NewProvider} />
      <Route path="/settings/single-sign-on/:uuid">{({ uuid }) => <ProviderDetail key={uuid} uuid={uuid} />}</Route>
      <Route path="/settings/roles" component={ListOfRoles} />
      <Route path="/settings/roles/new" component={NewRole} />
      <Route path="/settings/roles/:uuid">
        {({ uuid }) => <RoleDetail key={uuid} uuid={decodeURIComponent(uuid)} />}
      </Route>
      <Route path="/settings/invitations" component={ListOfInvitations} />
      <Route path="/settings/invitations/new" component={NewInvitation} />
      <Route path="/settings/tokens" component={ListOfTokens} />
      <Route path="/settings/tokens/new" component={NewToken} />
      <Route path="/settings/chat-accounts" component={ListOfChatAccounts} />
      <Route path="/settings/chat-accounts/new" component={NewChatAccount} />
      <Route path="/settings/chat-accounts/:uuid">{({ uuid }) => <ChatAccountDetail key={uuid} uuid={uuid} />}</Route>
      <Route path="/settings/sms-links" component={ListOfSmsLinks} />
      <Route path="/settings/sms-links/new" component={NewSmsLink} />
      <Route path="/settings/sms-links/:uuid">{({ uuid }) => <SmsLinkDetail key={uuid} uuid={uuid} />}</Route>
      <Route path="/settings/sip-trunks" component={ListOfSipTrunks} />
      <Route path="/settings/sip-trunks/new" component={NewSipTrunk} />
      <Route path="/settings/sip-trunks/:uuid">{({ uuid }) => <SipTrunkDetail key={uuid} uuid={uuid} />}</Route>
      <Route path="/settings/sms-senders" component={SmsSenders} />
      <Route path="/settings/sender-names" component={SenderNames} />
      <Route path="/settings/safeguards" component={SafeguardSettings} />
      <Route path="/settings/tenants" component={ListOfTenants} />
      <Route path="/settings/tenants/new" component={NewTenant} />
      <Route path="/settings/tenants/:uuid">{({ uuid }) => <TenantDetail key={uuid} uuid={uuid} />}</Route>
      <Route path="/settings/callback-secret" component={CallbackSecret} />
      <Route path="/settings/audit-log" component={AuditLog} />
      <Route path="/settings/sandbox" component={SandboxSettings} />
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
