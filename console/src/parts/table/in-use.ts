/** Somebody points at a row, has gone to one by the keyboard, or has left the top behind. */
export const isInUse = (scroller: HTMLElement): boolean =>
  scroller.scrollTop > 0 || scroller.matches(':hover') || scroller.contains(document.activeElement);
