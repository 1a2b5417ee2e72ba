/** The crypto suites of RFC 4568 (6.2) and RFC 6188 that we speak, the one that we like best first. */
export const suites = {
  AES_CM_128_HMAC_SHA1_80: { cipher: 'aes-128-ctr', keyOctets: 16, tagOctets: 10 },
  AES_CM_128_HMAC_SHA1_32: { cipher: 'aes-128-ctr', keyOctets: 16, tagOctets: 4 },
  AES_256_CM_HMAC_SHA1_80: { cipher: 'aes-256-ctr', keyOctets: 32, tagOctets: 10 },
} as const;

export type Suite = keyof typeof suites;
export const suiteNames = Object.keys(suites) as Suite[];
export const isSuite = (name: string): name is Suite => Object.hasOwn(suites, name);

/** Of the master salt, in every suite. */
export const saltOctets = 14;

/** What a call's speech is encrypted with: master key and salt of each direction, in Base64 as SDES writes them. */
export interface SrtpKeys {
  suite: Suite;
  /** Ours, for what we send. */
  send: string;
  /** The peer's, for what it sends. */
  receive: string;
}
