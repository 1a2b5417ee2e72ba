import { Redirect, Route, Switch } from 'wouter';
import { pagesOf } from '../../parts/loading/lazily.ts';
import { NotFound } from '../../parts/page/not-found.tsx';
import { useTabs } from './tabs.ts';

const { AccountSettings } = pagesOf(() => import('./account.tsx'));
const { AuditLog } = pagesOf(() => import('./audit/list.tsx'));
const { CallbackSecret } = pagesOf(() => import('./callback-secret.tsx'));
const { ChatAccountDetail } = pagesOf(() => import('./chat-accounts/detail.tsx'));
const { ListOfChatAccounts } = pagesOf(() => import('./chat-accounts/list.tsx'));
const { NewChatAccount } = pagesOf(() => import('./chat-accounts/new.tsx'));
const { ListOfInvitations } = pagesOf(() => import('./invitations/list.tsx'));
const { NewInvitation } = pagesOf(() => import('./invitations/new.tsx'));
const { NewRole, RoleDetail } = pagesOf(() => import('./roles/form.tsx'));
const { ListOfRoles } = pagesOf(() => import('./roles/list.tsx'));
const { SafeguardSettings } = pagesOf(() => import('./safeguards/page.tsx'));
const { SandboxSettings } = pagesOf(() => import('./sandbox/page.tsx'));
const { SecuritySettings } = pagesOf(() => import('./security.tsx'));
const { SenderNames } = pagesOf(() => import('./sender-names.tsx'));
const { ProviderDetail } = pagesOf(() => import('./single-sign-on/detail.tsx'));
const { ListOfProviders } = pagesOf(() => import('./single-sign-on/list.tsx'));
const { NewProvider } = pagesOf(() => import('./single-sign-on/new.tsx'));
const { SipTrunkDetail } = pagesOf(() => import('./sip-trunks/detail.tsx'));
const { ListOfSipTrunks } = pagesOf(() => import('./sip-trunks/list.tsx'));
const { NewSipTrunk } = pagesOf(() => import('./sip-trunks/new.tsx'));
const { SmsLinkDetail } = pagesOf(() => import('./sms-links/detail.tsx'));
const { ListOfSmsLinks } = pagesOf(() => import('./sms-links/list.tsx'));
const { NewSmsLink } = pagesOf(() => import('./sms-links/new.tsx'));
const { SmsSenders } = pagesOf(() => import('./sms-senders.tsx'));
const { TenantDetail } = pagesOf(() => import('./tenants/detail.tsx'));
const { ListOfTenants } = pagesOf(() => import('./tenants/list.tsx'));
const { NewTenant } = pagesOf(() => import('./tenants/new.tsx'));
const { ListOfTokens } = pagesOf(() => import('./tokens/list.tsx'));
const { NewToken } = pagesOf(() => import('./tokens/new.tsx'));
const { EditUser } = pagesOf(() => import('./users/edit.tsx'));
const { ListOfUsers } = pagesOf(() => import('./users/list.tsx'));
const { NewUser } = pagesOf(() => import('./users/new.tsx'));

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
