import { NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import type { Schema } from '../../api/index.ts';
import { Section } from '../../parts/index.ts';

type Prices = Schema<'Account'>['prices'];

const names = ['sms_part', 'chatapp_message', 'number_month'] as const;

export interface PriceValues {
  currency: string;
  sms_part: number | string;
  chatapp_message: number | string;
  number_month: number | string;
}

export const priceValues = (prices: Prices): PriceValues => ({
  currency: prices?.currency ?? '',
  sms_part: prices?.sms_part ?? '',
  chatapp_message: prices?.chatapp_message ?? '',
  number_month: prices?.number_month ?? '',
});

/** Without a currency and a price there is nothing to keep. */
export function pricesOf(values: PriceValues): Prices {
  const given = names.filter((name) => values[name] !== '');
  if (given.length === 0 && !values.currency.trim()) return null;
  const prices = Object.fromEntries(given.map((name) => [name, values[name] as number]));
  return { currency: values.currency.trim().toUpperCase(), ...prices };
}

interface PriceFieldsProps {
  form: { getInputProps(path: `prices.${keyof PriceValues}`): GetInputPropsReturnType };
}

/** What carriers charge, for the estimates of campaigns and the price of numbers. */
export const PriceFields = ({ form }: PriceFieldsProps) => (
  <Section
    title="Prices"
    description="What your carriers charge you. Reviews of campaigns and the purchase of numbers show estimates with them; nothing is billed."
  >
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
      <TextInput label="Currency" placeholder="GBP" maxLength={3} {...form.getInputProps('prices.currency')} />
      <NumberInput label="SMS part" min={0} decimalScale={6} {...form.getInputProps('prices.sms_part')} />
      <NumberInput label="Chat message" min={0} decimalScale={6} {...form.getInputProps('prices.chatapp_message')} />
      <NumberInput label="Number, per month" min={0} decimalScale={6} {...form.getInputProps('prices.number_month')} />
    </SimpleGrid>
  </Section>
);
