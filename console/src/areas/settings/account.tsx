import { NumberInput, Select, SimpleGrid, Stack, Switch, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { call, type Schema, useOne } from '../../api/index.ts';
import { NotifyTemplateFields, notifyTemplateOf, notifyValues } from '../../parts/fields/notify-template.tsx';
import { ApiForm, editing, Facts, Id, Loaded, Section, Time, useMay } from '../../parts/index.ts';
import { countries } from './countries.ts';
import { LanguageSelect } from './language-select.tsx';
import { PriceFields, pricesOf, priceValues } from './price-fields.tsx';
import { isConverting, PrivacyFields, privacyValues, retentionOf } from './privacy-fields.tsx';
import { SettingsPage } from './settings-page.tsx';

type Account = Schema<'Account'>;
const zones = Intl.supportedValuesOf('timeZone');

/** Name, place, quiet hours and limits of the account. */
export function AccountSettings() {
  const query = useOne('/v2/account/', undefined, undefined, {
    refetchInterval: (account) => (account && isConverting(account) ? 3000 : false),
  });
  return (
    <SettingsPage tab="/settings/account" description="Account defaults.">
      <Loaded query={query}>
        {(account) => (
          <Stack>
            <AccountForm key={account.uuid} account={account} />
            <Section title="Details">
              <Facts
                rows={[
                  ['Id', <Id key="id" id={account.uuid} />],
                  ['Operator', account.operator ? 'This account runs the server' : 'No'],
                  ['Created', <Time key="created" at={account.created} exact />],
                  ['Changed', <Time key="modified" at={account.modified} exact />],
                ]}
              />
            </Section>
          </Stack>
        )}
      </Loaded>
    </SettingsPage>
  );
}

function valuesOf(account: Account) {
  const limit = (account.limits as Schema<'AccountLimits'>).requests_per_minute;
  return {
    name: account.name,
    default_country: account.default_country,
    time_zone: account.time_zone,
    language_code: account.language_code,
    isQuiet: account.quiet_hours !== null,
    quiet_hours: account.quiet_hours ?? { start: '21:00', end: '08:00' },
    retention_days: account.retention_days as number | string,
    opt_out_keywords: account.opt_out_keywords,
    help_text: account.help_text ?? '',
    notify_template: notifyValues(account.notify_template),
    prices: priceValues(account.prices),
    ...privacyValues(account),
    limits: { requests_per_minute: (limit ?? '') as number | string },
  };
}

function AccountForm({ account }: { account: Account }) {
  const isOperator = useMay('operator');
  return (
    <ApiForm
      initialValues={valuesOf(account)}
      edits={editing(account, '/v2/account/', undefined, valuesOf)}
      submit={(
        { isQuiet, quiet_hours, retention_days, limits, help_text, notify_template, prices, retention, ...rest },
        ifMatch,
      ) =>
        call('patch', '/v2/account/', {
          body: {
            ...rest,
            quiet_hours: isQuiet ? quiet_hours : null,
            help_text: help_text.trim() === '' ? null : help_text,
            notify_template: notifyTemplateOf(notify_template),
            prices: pricesOf(prices),
            retention: retentionOf(retention),
            // An emptied field is not sent as 0; the API says that it is no number.
            retention_days: retention_days as number,
            ...(isOperator && { limits: limitsOf(account, limits.requests_per_minute) }),
          },
          ifMatch,
        })
      }
      done="Saved."
      invalidates={['/v2/account/', '/v2/auth/session/']}
    >
      {(form) => (
        <>
          <Section title="General">
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TextInput
                label="Name"
                description="Shown in the console."
                required
                maxLength={200}
                {...form.getInputProps('name')}
              />
              <Select
                label="Country"
                description="For numbers without a country code."
                data={countries(account.default_country)}
                searchable
                allowDeselect={false}
                {...form.getInputProps('default_country')}
              />
              <Select
                label="Time zone"
                description="For times in the console and for working hours."
                data={zones.includes(account.time_zone) ? zones : [account.time_zone, ...zones]}
                searchable
                allowDeselect={false}
                limit={100}
                {...form.getInputProps('time_zone')}
              />
              <LanguageSelect
                label="Default template language"
                description="Used when a template does not specify one."
                allowDeselect={false}
                {...form.getInputProps('language_code')}
              />
            </SimpleGrid>
          </Section>
          <Section
            title="Quiet hours"
            description="Campaigns and first SMS messages wait during these hours, in the recipient's time zone, unless they override it."
          >
            <Stack>
              <Switch label="Use quiet hours" {...form.getInputProps('isQuiet', { type: 'checkbox' })} />
              {form.values.isQuiet && (
                <SimpleGrid cols={2} maw="24rem">
                  <TextInput type="time" label="From" {...form.getInputProps('quiet_hours.start')} />
                  <TextInput type="time" label="Until" {...form.getInputProps('quiet_hours.end')} />
                </SimpleGrid>
              )}
            </Stack>
          </Section>
          <Section
            title="Opt-out keywords"
            description="STOP and UNSUBSCRIBE always opt a person out. In texts so do CANCEL, END, QUIT, REVOKE and OPTOUT."
          >
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TagsInput
                label="Additional opt-out keywords"
                description="Match when they are the whole message. Press Enter after each."
                maxTags={50}
                {...form.getInputProps('opt_out_keywords')}
              />
              <Textarea
                label="Reply to HELP and INFO"
                description="Leave empty for the default SMS reply; chats then get none."
                autosize
                minRows={2}
                maxLength={1000}
                {...form.getInputProps('help_text')}
              />
            </SimpleGrid>
          </Section>
          <Section
            title="Agent chat template"
            description="For routed chats outside the agent's 24-hour window, if the agent has no template of their own."
          >
            <NotifyTemplateFields form={form} path="notify_template" empty="Leave empty not to forward such chats." />
          </Section>
          <PriceFields form={form} />
          <PrivacyFields encryption={account.content_encryption} form={form} days={form.values.retention_days} />
          <Section title="Retention and limits">
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <NumberInput
                label="Keep for"
                description="How long messages, calls, deliveries and the audit log are kept, in days."
                suffix=" days"
                min={1}
                max={3650}
                clampBehavior="none"
                {...form.getInputProps('retention_days')}
              />
              {isOperator ? (
                <NumberInput
                  label="Requests per minute"
                  description="API requests from this account. Leave empty for the server default."
                  placeholder="Server default"
                  min={1}
                  thousandSeparator=","
                  clampBehavior="none"
                  {...form.getInputProps('limits.requests_per_minute')}
                />
              ) : (
                <div>
                  <Text size="sm" fw={600}>
                    Requests per minute
                  </Text>
                  <Text size="sm">
                    {(account.limits as Schema<'AccountLimits'>).requests_per_minute ?? 'Server default'}
                  </Text>
                  <Text size="xs" c="dimmed">
                    Only the server operator can change this.
                  </Text>
                </div>
              )}
            </SimpleGrid>
          </Section>
        </>
      )}
    </ApiForm>
  );
}

/** They are replaced as a whole: those that are not here stay. */
function limitsOf({ limits }: Account, perMinute: number | string): Schema<'AccountLimits'> {
  const { requests_per_minute: _, ...others } = limits as Schema<'AccountLimits'>;
  return { ...others, ...(perMinute !== '' && { requests_per_minute: perMinute as number }) };
}
