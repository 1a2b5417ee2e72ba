import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import edges from './edges.module.css';
import classes from './link-tabs.module.css';

interface LinkTabsProps {
  /** What one chooses among, for screen readers: `Settings`. */
  label: string;
  tabs: readonly { href: string; title: string }[];
  /** The `href` of the one that one is at. */
  here: string;
}

/** Pages beside each other, each with an address of its own. On a phone the bar scrolls sideways. */
export function LinkTabs({ label, tabs, here }: LinkTabsProps) {
  const bar = useRef<HTMLElement>(null);
  // The tab one is at must be in sight.
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>('[aria-current]');
    if (bar.current && current) bar.current.scrollLeft = current.offsetLeft - bar.current.offsetLeft - 32;
  }, []);
  return (
    <nav aria-label={label} className={`${edges['edges']} ${classes['tabs']}`} ref={bar}>
      {tabs.map(({ href, title }) => (
        <Link key={href} href={href} className={classes['tab']!} {...(href === here && { 'aria-current': 'page' })}>
          {title}
        </Link>
      ))}
    </nav>
  );
}
