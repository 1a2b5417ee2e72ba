import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { type Area, areas, groups } from '../areas.ts';
import { useMaySee } from '../parts/may.tsx';
import classes from './shell.module.css';

/** Links to all areas that one may see, by group. The code of an area is fetched when the pointer or the focus comes near. */
export function Navigation({ current }: { current: Area | undefined }) {
  const maySee = useMaySee();
  const shown = areas.filter(({ path, isPersonal }) => !isPersonal && maySee(path));
  const used = groups.filter((group) => shown.some((area) => area.group === group));
  return (
    <div className={classes['navigation']}>
      {used.map((group) => (
        <div key={group}>
          {group && (
            <div className={classes['group']} id={`group-${groups.indexOf(group)}`}>
              {group}
            </div>
          )}
          <ul
            className={classes['list']}
            {...(group ? { 'aria-labelledby': `group-${groups.indexOf(group)}` } : { 'aria-label': 'Start' })}
          >
            {shown
              .filter((area) => area.group === group)
              .map((area) => (
                <li key={area.path}>
                  <Entry area={area} isCurrent={area === current} />
                </li>
              ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

function Entry({ area, isCurrent }: { area: Area; isCurrent: boolean }) {
  const prepare = () => void area.load().catch(() => {});
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <Link
      ref={link}
      href={area.path}
      className={classes['entry']}
      onPointerEnter={prepare}
      onFocus={prepare}
      {...(isCurrent && { 'aria-current': 'page' as const })}
    >
      <area.icon size={18} stroke={1.7} aria-hidden />
      {area.title}
    </Link>
  );
}
