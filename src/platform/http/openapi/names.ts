/** `chatapp.message_status` → `ChatappMessageStatus` */
export const inPascalCase = (text: string): string =>
  text.replaceAll(
    /[^A-Za-z0-9]*([A-Za-z0-9])([A-Za-z0-9]*)/g,
    (_, first, rest) => first.toUpperCase() + rest.toLowerCase(),
  );
