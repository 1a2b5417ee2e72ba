/** What we use of two libraries that bring no types. */

declare module 'aws4' {
  interface Signable {
    service: 's3';
    region: string;
    host: string;
    method: string;
    path: string;
    headers: Record<string, string>;
  }
  /** Adds the headers of Signature Version 4. */
  function sign(
    request: Signable,
    credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string },
  ): { path: string; headers: Record<string, string> };
  const aws4: { sign: typeof sign };
  export default aws4;
}

declare module 'sax' {
  interface Parser {
    onopentag: (tag: { name: string }) => void;
    onclosetag: (name: string) => void;
    ontext: (text: string) => void;
    oncdata: (text: string) => void;
    onerror: (error: Error) => void;
    write(text: string): Parser;
    close(): Parser;
  }
  const sax: { parser(isStrict: boolean): Parser };
  export default sax;
}
