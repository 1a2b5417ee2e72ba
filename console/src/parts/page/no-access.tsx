import { IconLock } from '@tabler/icons-react';
import { covers, sayWhoGrants } from '../../api/may.ts';
import { scopesToSee } from '../../needs.ts';
import { useHere } from '../account.tsx';
import { EmptyState } from './empty-state.tsx';
import { Page } from './page.tsx';

/** In place of a page that whoever is signed in may not see: says so, and who can change it. */
export function NoAccess({ title, address }: { title: string; address: string }) {
  const { scopes } = useHere().session;
  const [scope = 'read'] = scopesToSee(address).filter((one) => !covers(scopes, one));
  return (
    <Page title={title}>
      <EmptyState
        icon={IconLock}
        title={`You may not ${deedOf(address, scope)} ${named(title)}.`}
        hint={sayWhoGrants(scope)}
      />
    </Page>
  );
}

const deedOf = (address: string, scope: string): string =>
  address.startsWith('/phone') ? 'use the' : scope.endsWith(':write') ? 'change' : 'see';

const named = (title: string): string => (/^[A-Z]{2}/.test(title) ? title : title[0]!.toLowerCase() + title.slice(1));
