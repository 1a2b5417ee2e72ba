/**
 * Brings texts that a person would call the same to one form: compatibility forms (NFKC), case and white space do not count.
 * Case is folded by going down, up and down: ẞ, ß and SS meet only that way. NFKC again, because folding may leave sequences
 * that compose.
 */
export function normalise(text: string): string {
  const folded = text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
  return folded.replace(/\s+/g, ' ').trim();
}
