import { useLayoutEffect } from 'react';
import { notePlace, placeOf, returnTo } from './places.ts';

const label = 'page';

/** A page begins at its top, or where it was left by who comes back to it. */
export function usePageScroll(): void {
  useLayoutEffect(() => {
    const place = placeOf(label);
    let isReturning = place !== undefined && place.top > 0;
    if (!place || !isReturning) window.scrollTo(0, 0);
    const note = (): void => {
      if (!isReturning) notePlace(label, { top: window.scrollY });
    };
    const reach = (): boolean => {
      if (window.scrollY !== place!.top) window.scrollTo(0, place!.top);
      return Math.abs(window.scrollY - place!.top) < 1;
    };
    const stop = isReturning
      ? returnTo(reach, () => {
          isReturning = false;
        })
      : undefined;
    window.addEventListener('scroll', note, { passive: true });
    return () => {
      stop?.();
      window.removeEventListener('scroll', note);
    };
  }, []);
}
