// Offer and answer (RFC 3264) for one audio stream.

import { randomBytes } from 'node:crypto';
import { type SrtpKeys, type Suite, saltOctets, suiteNames, suites } from '../../media/srtp/suites.ts';
import { Malformed } from '../message/uri.ts';
import { type Crypto, type Direction, type OwnStream, parseSdp, type Stream, writeSdp } from './sdp.ts';

export type Codec = 'PCMU' | 'PCMA';
const codecTypes: Readonly<Record<Codec, number>> = { PCMU: 0, PCMA: 8 };

/** Where the peer hears, as both sides agreed. */
export interface Agreed {
  address: string;
  port: number;
  codec: Codec;
  payloadType: number;
  dtmfType: number | null;
  /** What the peer is to call it towards us: what our own description said. */
  ownDtmfType: number;
  /** It does not want to hear us. */
  isHeld: boolean;
  /** The address that the description came from. */
  signalledFrom: string;
  /** Left out: speech is not encrypted. */
  srtp?: SrtpKeys;
}

/** Whether speech is encrypted (SRTP): never, if the other side does that, too, or always. */
export type Encryption = 'off' | 'optional' | 'required';

export interface Negotiation {
  /** What we would like; the same each time until something is agreed on. */
  offer(): string;
  /** `from` is the peer's address. undefined: there is nothing in common (488). Throws `Malformed`. */
  answer(offer: string, from: string): string | undefined;
  /** The peer's answer to our offer; false: there is nothing in common. */
  accept(answer: string, from: string): boolean;
  /** What holds now; also what a refresh says again. */
  current(): string;
  /** In a sentence, why the last description had nothing in common with us. */
  problem(): string;
}

export interface NegotiationOptions {
  address: string;
  port: number;
  /** In the order in which we like them. */
  codecs: readonly Codec[];
  /** Keys are written into descriptions: anything but off is for signalling that is encrypted itself. */
  encryption?: Encryption;
  onAgreed(agreed: Agreed): void;
}

/** What we call telephone-event where we choose (RFC 4733 leaves that open; this is what everybody takes). */
const offeredDtmfType = 101;
const mirrored: Readonly<Record<Direction, Direction>> = {
  sendrecv: 'sendrecv',
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
};

const noCodec = 'No codec in common.';
const notEncrypted = 'The call must be encrypted (SRTP), and the other side does not encrypt it.';
const notAllowed = 'The other side wants SRTP, which this trunk does not take.';

/** A key of our own for each suite, for the whole of the call. */
const newKeys = (): Record<Suite, string> =>
  Object.fromEntries(
    suiteNames.map((suite) => [suite, randomBytes(suites[suite].keyOctets + saltOctets).toString('base64')]),
  ) as Record<Suite, string>;

export function makeNegotiation(options: NegotiationOptions): Negotiation {
  const { address, port, codecs, encryption = 'off', onAgreed } = options;
  const keys = encryption === 'off' ? undefined : newKeys();
  /** RFC 8643: who would only like to encrypt offers keys for a stream that may do without. */
  const offeredProtocol = encryption === 'required' ? secureProtocol : plainProtocol;
  const offeredKeys = keys ? suiteNames.map((suite, n) => ({ tag: `${n + 1}`, suite, key: keys[suite] })) : [];
  let problem = noCodec;

  const own: OwnStream = { address, port, id: Math.floor(Math.random() * 2 ** 31), version: 0 };
  let last = '';

  /** The version grows with the description, and only then (RFC 3264 8). */
  function write(media: string[]): string {
    if (writeSdp(own, media) !== last) {
      own.version++;
      last = writeSdp(own, media);
    }
    return last;
  }

  /** The keys for a stream; false: it is encrypted and must not be, or the other way round. */
  function keysFor({ protocol, crypto }: Stream, isAnswer: boolean): { crypto?: Crypto; srtp?: SrtpKeys } | false {
    const isSecure = protocol.toUpperCase() === secureProtocol;
    const found = keys && crypto.find(({ tag, suite }) => !isAnswer || offeredKeys[Number(tag) - 1]?.suite === suite);
    if (found) {
      const { suite, tag, key } = found;
      return { crypto: { suite, tag, key: keys![suite] }, srtp: { suite, send: keys![suite], receive: key } };
    }
    if (!isSecure && encryption !== 'required') return {};
    problem = encryption === 'off' ? notAllowed : notEncrypted;
    return false;
  }

  function agree(
    stream: Stream,
    signalledFrom: string,
    isAnswer: boolean,
  ): { agreed: Agreed; payload: string; crypto: Crypto | undefined } | undefined {
    const payload = stream.formats.find((format) => codecs.includes(codecOf(stream, format)!));
    problem = noCodec;
    if (payload === undefined || stream.address === '' || stream.port === 0) return undefined;
    const secret = keysFor(stream, isAnswer);
    if (!secret) return undefined;
    const dtmf = stream.formats.find((format) => stream.names.get(format) === 'TELEPHONE-EVENT/8000');
    return {
      payload,
      crypto: secret.crypto,
      agreed: {
        address: stream.address,
        port: stream.port,
        codec: codecOf(stream, payload)!,
        payloadType: Number(payload),
        dtmfType: dtmf === undefined ? null : Number(dtmf),
        ownDtmfType: dtmf === undefined ? offeredDtmfType : Number(dtmf),
        // The hold of RFC 2543 is an address that is none.
        isHeld: isNowhere(stream.address) || stream.direction === 'sendonly' || stream.direction === 'inactive',
        signalledFrom,
        ...(secret.srtp && { srtp: secret.srtp }),
      },
    };
  }

  return {
    offer: () => last || write(audioLines(port, offeredProtocol, offeredFormats(codecs), 'sendrecv', offeredKeys)),
    answer(offer, from) {
      const { streams } = parseSdp(offer);
      problem = noCodec;
      const chosen = streams.findIndex((stream) => isAudio(stream) && agree(stream, from, false) !== undefined);
      if (chosen < 0) return undefined;
      const { agreed, payload, crypto } = agree(streams[chosen]!, from, false)!;
      const formats = [[payload, `${agreed.codec}/8000`], ...dtmfFormat(agreed.dtmfType)] as const;
      const media = streams.flatMap((stream, index) =>
        index === chosen
          ? audioLines(
              port,
              stream.protocol,
              formats,
              isNowhere(stream.address) ? 'inactive' : mirrored[stream.direction],
              crypto ? [crypto] : [],
            )
          : [`m=${stream.kind} 0 ${stream.protocol} ${stream.formats.join(' ')}`],
      );
      onAgreed(agreed);
      return write(media);
    },
    accept(answer, from) {
      const stream = parseSdp(answer).streams.find(isAudio);
      problem = noCodec;
      const found = stream && agree(stream, from, true);
      if (!found) return false;
      onAgreed({ ...found.agreed, ownDtmfType: offeredDtmfType });
      return true;
    },
    current: () => last,
    problem: () => problem,
  };
}

const plainProtocol = 'RTP/AVP';
const secureProtocol = 'RTP/SAVP';
const isAudio = ({ kind, protocol }: Stream): boolean =>
  kind === 'audio' && [plainProtocol, secureProtocol].includes(protocol.toUpperCase());
const isNowhere = (address: string): boolean => address === '0.0.0.0' || address === '::';

function codecOf({ names }: Stream, format: string): Codec | undefined {
  const [name, rate] = names.get(format)?.split('/') ?? [];
  return rate === '8000' && (name === 'PCMU' || name === 'PCMA') ? name : undefined;
}

type Formats = readonly (readonly [string, string])[];

const offeredFormats = (codecs: readonly Codec[]): Formats => [
  ...codecs.map((codec) => [String(codecTypes[codec]), `${codec}/8000`] as const),
  ...dtmfFormat(offeredDtmfType),
];

const dtmfFormat = (type: number | null): Formats => (type === null ? [] : [[String(type), 'telephone-event/8000']]);

function audioLines(
  port: number,
  protocol: string,
  formats: Formats,
  direction: Direction,
  crypto: readonly Crypto[],
): string[] {
  const dtmf = formats.find(([, name]) => name.startsWith('telephone-event'));
  return [
    `m=audio ${port} ${protocol} ${formats.map(([type]) => type).join(' ')}`,
    ...formats.map(([type, name]) => `a=rtpmap:${type} ${name}`),
    ...(dtmf ? [`a=fmtp:${dtmf[0]} 0-16`] : []),
    ...crypto.map(({ tag, suite, key }) => `a=crypto:${tag} ${suite} inline:${key}`),
    'a=ptime:20',
    `a=${direction}`,
  ];
}

/** The description in a body; undefined where there is none. */
export function sdpIn(contentType: string | undefined, body: Buffer): string | undefined {
  if (body.length === 0) return undefined;
  const [type = '', ...params] = (contentType ?? 'application/sdp').split(';').map((part) => part.trim());
  if (type.toLowerCase() === 'application/sdp') return body.toString('utf8');
  if (!type.toLowerCase().startsWith('multipart/')) throw new Malformed('Unsupported content.', { cause: 415 });
  const boundary = params
    .find((param) => /^boundary=/i.test(param))
    ?.slice('boundary='.length)
    .replaceAll('"', '');
  if (!boundary) throw new Malformed('A multipart body has no boundary.');
  const part = body
    .toString('utf8')
    .split(`--${boundary}`)
    .slice(1)
    .map((text) => text.split(/\r?\n\r?\n(.*)/s))
    .find(([head = '']) => /^content-type\s*:\s*application\/sdp/im.test(head));
  if (!part) throw new Malformed('Unsupported content.', { cause: 415 });
  return part[1]?.trimStart() ?? '';
}
