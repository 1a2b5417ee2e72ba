let arrivedAt = 0;
// The router tells of its own changes so, before it draws the page. Back and Forward are not among them: they return to what was there.
window.addEventListener(
  'pushState',
  () => {
    arrivedAt = Date.now();
  },
  { capture: true },
);

/** How long something that was read is shown again without asking. */
export const freshForMs = 5000;

/** Who opens a list by a link expects it as it is now: what was read before they came is read again. */
export const freshSinceArrival = ({ state }: { state: { dataUpdatedAt: number } }): number =>
  state.dataUpdatedAt < arrivedAt ? 0 : freshForMs;
