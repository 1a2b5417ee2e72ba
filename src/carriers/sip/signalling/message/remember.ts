/** Longer texts are not kept: they are rare, and strangers must not be able to fill the process. */
const longest = 256;

/**
 * Reads a text once while it is asked for: a message goes through many hands, and each of them looks at the same few fields,
 * many of which are those of the message before. What is read is for all of them: nobody may change it.
 */
export function remember<T>(read: (text: string) => T, most = 1000): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    if (text.length > longest) return read(text);
    // A piece of a string keeps the whole of it in memory, and strings here are pieces of messages: a copy does not.
    const own = Buffer.from(text, 'utf16le').toString('utf16le');
    const value = read(own);
    if (known.size >= most) known.clear();
    known.set(own, value);
    return value;
  };
}
