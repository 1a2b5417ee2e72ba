import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { Page, type PageProps } from '../../parts/index.ts';
import classes from './settings-page.module.css';
import { type TabHref, tabs, titleOfTab } from './tabs.ts';

interface SettingsPageProps extends Omit<PageProps, 'title' | 'trail'> {
  tab: TabHref;
  children: ReactNode;
}

/** The frame of each part of the settings: its title, and the way to the others. */
export const SettingsPage = ({ tab, children, ...page }: SettingsPageProps) => (
  <Page {...page} title={titleOfTab(tab)} trail={[{ title: 'Settings', href: '/settings' }]}>
    <SettingsTabs tab={tab} />
    {children}
  </Page>
);

function SettingsTabs({ tab }: { tab: TabHref }) {
  const bar = useRef<HTMLElement>(null);
  // On a narrow screen the bar scrolls, and the tab one is at must be in sight.
  useEffect(() => {
    const here = bar.current?.querySelector<HTMLElement>('[aria-current]');
    if (bar.current && here) bar.current.scrollLeft = here.offsetLeft - bar.current.offsetLeft - 32;
  }, []);
  return (
    <nav aria-label="Settings" className={classes['tabs']} ref={bar}>
      {tabs.map(({ href, title }) => (
        <Link key={href} href={href} className={classes['tab']!} {...(href === tab && { 'aria-current': 'page' })}>
          {title}
        </Link>
      ))}
    </nav>
  );
}
