/** Round figures from 0 to at least `most`, about `count` of them, and whole ones: nobody sends half a message. */
export function ticksOf(most: number, count = 4): number[] {
  const rough = Math.max(most, 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((one) => one * power >= rough) ?? 10;
  const step = Math.max(1, factor * power);
  return Array.from({ length: Math.ceil(Math.max(most, 1) / step) + 1 }, (_, index) => index * step);
}

/** Every how many labels one fits, where each is so wide and they share a width. */
export const labelStep = (labels: readonly string[], width: number): number => {
  const longest = Math.max(...labels.map((label) => label.length), 1);
  return Math.max(1, Math.ceil((labels.length * (longest * letterWidth + 12)) / Math.max(width, 1)));
};

/** What a digit of 12 px is wide in the widest of the usual fonts. */
export const letterWidth = 7.7;
