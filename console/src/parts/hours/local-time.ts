/** A moment of the API as an input of type `datetime-local` holds it, by the clock of this device. */
export function toLocal(at: string | null | undefined): string {
  if (!at) return '';
  const moment = new Date(at);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** And back; null for none. */
export const fromLocal = (text: string): string | null => (text ? new Date(text).toISOString() : null);
