export const isSipAddress = (callee: string): boolean => /^sips?:/i.test(callee);

/** What can be written to: phone numbers, and no SIP addresses. */
export const phonesOf = ({ numbers }: { numbers: string[] }): string[] =>
  numbers.filter((number) => !isSipAddress(number));
