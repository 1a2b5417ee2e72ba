import type { ReactNode } from 'react';
import { LinkTabs, Page, type PageProps } from '../../parts/index.ts';
import { type TabHref, tabs, titleOfTab } from './tabs.ts';

interface SettingsPageProps extends Omit<PageProps, 'title' | 'trail'> {
  tab: TabHref;
  children: ReactNode;
}

/** The frame of each part of the settings: its title, and the way to the others. */
export const SettingsPage = ({ tab, children, ...page }: SettingsPageProps) => (
  <Page {...page} title={titleOfTab(tab)} trail={[{ title: 'Settings', href: '/settings' }]}>
    <LinkTabs label="Settings" tabs={tabs} here={tab} />
    {children}
  </Page>
);
