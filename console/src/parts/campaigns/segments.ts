/** The basic alphabet of GSM 03.38; what is not in it makes a text Unicode. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Each of these takes two places. */
const extended = new Set('\f^{}\\[~]|€');

export interface Segments {
  encoding: 'GSM7' | 'UCS2';
  /** Places taken, of which a part has `perPart`. */
  length: number;
  parts: number;
  perPart: number;
}

/** An estimate of the parts of an SMS while one types; the server's preview has the last word. */
export function segmentsOf(text: string): Segments {
  const letters = [...text];
  const isGsm = letters.every((letter) => basic.has(letter) || extended.has(letter));
  const length = isGsm ? letters.reduce((sum, letter) => sum + (extended.has(letter) ? 2 : 1), 0) : text.length;
  const [alone, joined] = isGsm ? [160, 153] : [70, 67];
  const fits = length <= alone;
  return {
    encoding: isGsm ? 'GSM7' : 'UCS2',
    length,
    parts: length === 0 ? 0 : fits ? 1 : Math.ceil(length / joined),
    perPart: fits ? alone : joined,
  };
}
