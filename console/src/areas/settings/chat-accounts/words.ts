/** A carrier in words. */
export const sayCarrier = (carrier: string): string =>
  ({ sandbox: 'Sandbox', 'cloud-api': 'Cloud API', smpp: 'SMPP', sip: 'SIP' })[carrier] ?? carrier;

/** A length of time in the unit that suits it: `45 s`, `12 min`, `3 h`. */
export function saySeconds(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}
