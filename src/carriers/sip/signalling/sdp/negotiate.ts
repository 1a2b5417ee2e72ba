// Offer and answer (RFC 3264) for one audio stream.

import { Malformed } from '../message/uri.ts';
import { type Direction, type OwnStream, parseSdp, type Stream, writeSdp } from './sdp.ts';

export type Codec = 'PCMU' | 'PCMA';
export const codecTypes: Readonly<Record<Codec, number>> = { PCMU: 0, PCMA: 8 };

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
}

export interface Negotiation {
  /** What we would like; the same each time until something is agreed on. */
  offer(): string;
  /** `from` is the peer's address. undefined: there is nothing in common (488). Throws `Malformed`. */
  answer(offer: string, from: string): string | undefined;
  /** The peer's answer to our offer; false: there is nothing in common. */
  accept(answer: string, from: string): boolean;
  /** What holds now; also what a refresh says again. */
  current(): string;
}

export interface NegotiationOptions {
  address: string;
  port: number;
  /** In the order in which we like them. */
  codecs: readonly Codec[];
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

export function makeNegotiation({ address, port, codecs, onAgreed }: NegotiationOptions): Negotiation {
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

  function agree(stream: Stream, signalledFrom: string): { agreed: Agreed; payload: string } | undefined {
    const payload = stream.formats.find((format) => codecs.includes(codecOf(stream, format)!));
    if (payload === undefined || stream.address === '' || stream.port === 0) return undefined;
    const dtmf = stream.formats.find((format) => stream.names.get(format) === 'TELEPHONE-EVENT/8000');
    return {
      payload,
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
      },
    };
  }

  return {
    offer: () => last || write(audioLines(port, offeredFormats(codecs), 'sendrecv')),
    answer(offer, from) {
      const { streams } = parseSdp(offer);
      const chosen = streams.findIndex((stream) => isAudio(stream) && agree(stream, from) !== undefined);
      if (chosen < 0) return undefined;
      const { agreed, payload } = agree(streams[chosen]!, from)!;
      const formats = [[payload, `${agreed.codec}/8000`], ...dtmfFormat(agreed.dtmfType)] as const;
      const media = streams.flatMap((stream, index) =>
        index === chosen
          ? audioLines(port, formats, isNowhere(stream.address) ? 'inactive' : mirrored[stream.direction])
          : [`m=${stream.kind} 0 ${stream.protocol} ${stream.formats.join(' ')}`],
      );
      onAgreed(agreed);
      return write(media);
    },
    accept(answer, from) {
      const stream = parseSdp(answer).streams.find(isAudio);
      const found = stream && agree(stream, from);
      if (!found) return false;
      onAgreed({ ...found.agreed, ownDtmfType: offeredDtmfType });
      return true;
    },
    current: () => last,
  };
}

const isAudio = ({ kind, protocol }: Stream): boolean => kind === 'audio' && protocol.toUpperCase() === 'RTP/AVP';
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

function audioLines(port: number, formats: Formats, direction: Direction): string[] {
  const dtmf = formats.find(([, name]) => name.startsWith('telephone-event'));
  return [
    `m=audio ${port} RTP/AVP ${formats.map(([type]) => type).join(' ')}`,
    ...formats.map(([type, name]) => `a=rtpmap:${type} ${name}`),
    ...(dtmf ? [`a=fmtp:${dtmf[0]} 0-16`] : []),
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
