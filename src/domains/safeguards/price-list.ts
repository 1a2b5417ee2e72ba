import type { AccountPrices } from '../accounts/index.ts';
import type { Channel } from './policy.ts';
import type { Settings } from './schemas.ts';

/** Prices of one channel, by the first digits of a number. */
export interface ChannelPrices {
  byPrefix: ReadonlyMap<string, number>;
  /** Lengths of the prefixes, the longest first. */
  lengths: readonly number[];
  /** Of numbers that no prefix fits; undefined: not known. */
  otherwise: number | undefined;
}

/** What an account pays. The one place where a price is looked up: for caps, explanations and estimates alike. */
export interface PriceList {
  /** null: the account did not name one. */
  currency: string | null;
  of(channel: Channel): ChannelPrices;
  /** Of a message, an SMS segment or a call to a number: the longest prefix that fits, else the account's; undefined: not known. */
  priceOf(channel: Channel, digits: string): number | undefined;
}

export function makePriceList(byPrefix: Settings['prices'], ofAccount: AccountPrices | null): PriceList {
  const otherwise = { CHATAPP: ofAccount?.chatapp_message, SMS: ofAccount?.sms_part, VOICE: undefined };
  const listOf = (channel: Channel): ChannelPrices => {
    const own = byPrefix
      .filter((one) => one.channel === channel)
      .map(({ prefix, price }) => [prefix.slice(1), price] as const);
    const prices = new Map(own.toReversed());
    const lengths = [...new Set(prices.keys().map(({ length }) => length))].sort((one, other) => other - one);
    return { byPrefix: prices, lengths, otherwise: otherwise[channel] };
  };
  const lists = { CHATAPP: listOf('CHATAPP'), SMS: listOf('SMS'), VOICE: listOf('VOICE') };
  return {
    currency: ofAccount?.currency ?? null,
    of: (channel) => lists[channel],
    priceOf(channel, digits) {
      const { byPrefix, lengths, otherwise } = lists[channel];
      const length = lengths.find((length) => byPrefix.has(digits.slice(0, length)));
      return length === undefined ? otherwise : byPrefix.get(digits.slice(0, length));
    },
  };
}
