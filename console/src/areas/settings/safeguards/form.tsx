import {
  ActionIcon,
  Button,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { call, type Schema } from '../../../api/index.ts';
import { ApiForm, editing, Section } from '../../../parts/index.ts';
import { countries } from '../countries.ts';
import { channels, measures, priceClasses, subjects, windows } from './words.ts';

type Safeguards = Schema<'Safeguards'>;

function valuesOf(safeguards: Safeguards) {
  return {
    allowed_countries: safeguards.allowed_countries ?? [],
    blocked_prefixes: safeguards.blocked_prefixes,
    highest_price_class: safeguards.highest_price_class,
    caps: safeguards.caps.map((cap) => ({ ...cap, max: cap.max as number | string })),
    prices: safeguards.prices.map((price) => ({ ...price, price: price.price as number | string })),
    max_concurrent_calls: (safeguards.max_concurrent_calls ?? '') as number | string,
    pumping_recipients: (safeguards.pumping_recipients ?? '') as number | string,
    otp_conversion: {
      min_percent: (safeguards.otp_conversion?.min_percent ?? '') as number | string,
      min_recipients: (safeguards.otp_conversion?.min_recipients ?? 20) as number | string,
    },
    help_replies_per_hour: safeguards.help_replies_per_hour as number | string,
  };
}

const newCap = {
  channel: 'SMS',
  per: 'ACCOUNT',
  window: 'DAY',
  measure: 'COUNT',
  max: 1000 as number | string,
} as const;
const capSelects = [
  { name: 'channel', label: 'Channel', w: '8rem', data: [{ value: 'ALL', label: 'All channels' }, ...channels] },
  { name: 'per', label: 'For each', w: '8rem', data: subjects },
  { name: 'window', label: 'In an', w: '6rem', data: windows },
  { name: 'measure', label: 'Measure', w: '8rem', data: measures },
];
const newPrice = { channel: 'SMS', prefix: '+', price: 0.05 as number | string } as const;
const orNull = (value: number | string): number | null => (value === '' ? null : (value as number));

/** What is not here, such as rules of single senders, stays as it is. */
export const SafeguardsForm = ({ safeguards }: { safeguards: Safeguards }) => (
  <ApiForm
    initialValues={valuesOf(safeguards)}
    edits={editing(safeguards, '/v2/account/safeguards/', undefined, valuesOf)}
    submit={(values, ifMatch) =>
      call('patch', '/v2/account/safeguards/', {
        body: {
          ...values,
          allowed_countries: values.allowed_countries.length === 0 ? null : values.allowed_countries,
          caps: values.caps.map((cap) => ({ ...cap, max: cap.max as number })),
          prices: values.prices.map((price) => ({ ...price, price: price.price as number })),
          max_concurrent_calls: orNull(values.max_concurrent_calls),
          pumping_recipients: orNull(values.pumping_recipients),
          otp_conversion:
            values.otp_conversion.min_percent === ''
              ? null
              : {
                  min_percent: values.otp_conversion.min_percent as number,
                  min_recipients: values.otp_conversion.min_recipients as number,
                },
          help_replies_per_hour: values.help_replies_per_hour as number,
        },
        ifMatch,
      })
    }
    done="Saved."
    invalidates={['/v2/account/safeguards/']}
  >
    {(form) => (
      <>
        <Section title="Destinations" description="Numbers that may be written to and called.">
          <Stack>
            <MultiSelect
              label="Allowed countries"
              description="Empty: all countries."
              data={countries('')}
              searchable
              clearable
              {...form.getInputProps('allowed_countries')}
            />
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TagsInput
                label="Blocked prefixes"
                description="Such as +4490. Press Enter after each."
                {...form.getInputProps('blocked_prefixes')}
              />
              <Select
                label="Most expensive numbers allowed"
                description="By the kind of number."
                data={priceClasses}
                allowDeselect={false}
                {...form.getInputProps('highest_price_class')}
              />
            </SimpleGrid>
          </Stack>
        </Section>
        <Section title="Caps" description="What exceeds a cap is refused until the hour or the day (UTC) ends.">
          <Stack>
            {form.values.caps.map((cap, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a cap has no other name than its place
              <Group key={index} align="end" gap="xs">
                {capSelects.map(({ name, ...select }) => (
                  <Select
                    key={name}
                    {...select}
                    allowDeselect={false}
                    {...form.getInputProps(`caps.${index}.${name}`)}
                  />
                ))}
                <NumberInput
                  label="At most"
                  w="8rem"
                  min={0}
                  thousandSeparator=","
                  clampBehavior="none"
                  {...form.getInputProps(`caps.${index}.max`)}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={`Remove cap ${index + 1}: ${cap.channel} per ${cap.per.toLowerCase()}`}
                  onClick={() => form.removeListItem('caps', index)}
                >
                  <IconTrash size={18} />
                </ActionIcon>
              </Group>
            ))}
            <Group>
              <Button
                variant="default"
                leftSection={<IconPlus size={16} />}
                onClick={() => form.insertListItem('caps', { ...newCap })}
              >
                Add a cap
              </Button>
            </Group>
          </Stack>
        </Section>
        <Section
          title="Prices"
          description="For caps by cost and estimates of campaigns: the price of a message, an SMS segment or a call. The longest prefix that fits counts; if none does, the price in the account settings."
        >
          <Stack>
            {form.values.prices.map((price, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a price has no other name than its place
              <Group key={index} align="end" gap="xs">
                <Select
                  label="Channel"
                  w="8rem"
                  data={channels}
                  allowDeselect={false}
                  {...form.getInputProps(`prices.${index}.channel`)}
                />
                <TextInput label="Prefix" w="8rem" maxLength={16} {...form.getInputProps(`prices.${index}.prefix`)} />
                <NumberInput
                  label="Price"
                  w="8rem"
                  min={0}
                  decimalScale={6}
                  clampBehavior="none"
                  {...form.getInputProps(`prices.${index}.price`)}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={`Remove price ${index + 1}: ${price.prefix}`}
                  onClick={() => form.removeListItem('prices', index)}
                >
                  <IconTrash size={18} />
                </ActionIcon>
              </Group>
            ))}
            <Group>
              <Button
                variant="default"
                leftSection={<IconPlus size={16} />}
                onClick={() => form.insertListItem('prices', { ...newPrice })}
              >
                Add a price
              </Button>
            </Group>
          </Stack>
        </Section>
        <Section title="Fraud">
          <SimpleGrid cols={{ base: 1, sm: 3 }}>
            <NumberInput
              label="SMS pumping"
              description="Numbers of one range of 1,000 that are sent SMS in an hour, until the range is held for review. Empty: never."
              placeholder="Never"
              min={2}
              max={999}
              clampBehavior="none"
              {...form.getInputProps('pumping_recipients')}
            />
            <NumberInput
              label="One-time passwords used"
              description={`The least share that numbers of one range must use, by your feedback; else the range is held for review. Empty: never.${
                safeguards.feedback_since === null ? ' Begins with your first feedback.' : ''
              }`}
              placeholder="Never"
              suffix="%"
              min={1}
              max={100}
              clampBehavior="none"
              {...form.getInputProps('otp_conversion.min_percent')}
            />
            <NumberInput
              label="One-time passwords sent"
              description="How many numbers of a range must have been sent passwords within an hour before it is judged."
              min={2}
              max={999}
              clampBehavior="none"
              {...form.getInputProps('otp_conversion.min_recipients')}
            />
            <NumberInput
              label="Calls at once"
              description="No further calls are started while so many are under way. Empty: no limit."
              placeholder="No limit"
              min={0}
              clampBehavior="none"
              {...form.getInputProps('max_concurrent_calls')}
            />
            <NumberInput
              label="HELP replies"
              description="How often a person who writes HELP is answered in an hour."
              min={0}
              max={100}
              clampBehavior="none"
              {...form.getInputProps('help_replies_per_hour')}
            />
          </SimpleGrid>
        </Section>
      </>
    )}
  </ApiForm>
);
