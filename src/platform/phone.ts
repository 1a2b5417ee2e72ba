/** Under which a chat platform knows a person who hides their number: a country, a dot, letters and digits. */
const userId = /^[A-Z]{2}\.(?:ENT\.)?[0-9A-Za-z]{1,128}$/;

export const isUserId = (text: string): boolean => userId.test(text);

/**
 * What a person or a number is compared and indexed by. Of a phone number that is its digits, which two spellings of one
 * number have in common; a person without a number has their platform's id.
 */
export const phoneDigits = (number: string): string => (isUserId(number) ? number : number.replace(/[^0-9]/g, ''));
