/** A phone number's digits: what two spellings of one number have in common, and what is compared and indexed. */
export const phoneDigits = (number: string): string => number.replace(/[^0-9]/g, '');
