import type { ReactNode } from 'react';
import { LinkTabs, Page, type PageProps } from '../../parts/index.ts';
import { type TabHref, titleOfTab, useTabs } from './tabs.ts';

interface SettingsPageProps extends Omit<PageProps, 'title' | 'trail'> {
  tab: TabHref;
  children: ReactNode;
}

/** The frame of each part of the settings: its title, and the way to the others. */
export function SettingsPage({ tab, children, ...page }: SettingsPageProps) {
  const tabs = useTabs();
  return (
    <Page {...page} title={titleOfTab(tab)} trail={[{ title: 'Settings', href: '/settings' }]}>
      <LinkTabs label="Settings" tabs={tabs} here={tab} />
      {children}
    </Page>
  );
}
