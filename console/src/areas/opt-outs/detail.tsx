import { Anchor, Button, SimpleGrid, Text } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { useAct, useList, useOne } from '../../api/index.ts';
import { confirm, Facts, Loaded, Page, Phone, Section, Story, Time, usePhoneFormat } from '../../parts/index.ts';
import { optOutSteps } from '../../parts/opt-outs/steps.ts';
import { nameOfChannel, nameOfSource, sayChannel } from '../../parts/opt-outs/words.ts';

/** One opt-out with its proof, and all that this number decided before. */
export function OptOutDetail({ uuid }: { uuid: string }) {
  const [, navigate] = useLocation();
  const say = usePhoneFormat();
  const query = useOne('/v2/opt-outs/{uuid}/', { uuid });
  const remove = useAct('delete', '/v2/opt-outs/{uuid}/', {
    invalidates: ['/v2/opt-out'],
    done: 'Opted in again.',
    onDone: () => navigate('/opt-outs'),
  });
  const ask = async (number: string) => {
    const yes = await confirm({
      title: `Opt ${number} in again?`,
      text: 'You can message this number again. Only do this at the person’s request. The history is kept.',
      button: 'Opt in',
    });
    if (yes) remove.mutate({ params: { uuid } });
  };
  return (
    <Loaded query={query} what="opt-out">
      {(row) => (
        <Page
          title={say(row.phone_number)}
          description={`Opted out of ${sayChannel(row.channel)}.`}
          trail={[{ title: 'Opt-outs', href: '/opt-outs' }]}
          actions={
            remove.may && (
              <Button
                variant="light"
                color="red"
                loading={remove.isPending}
                onClick={() => void ask(say(row.phone_number))}
              >
                Opt in again
              </Button>
            )
          }
        >
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Section title="Opt-out">
              <Facts
                rows={[
                  ['Number', <Phone key="number" number={row.phone_number} />],
                  ['Out of', nameOfChannel(row.channel)],
                  ['How', nameOfSource(row.source)],
                  ['Proof', row.text || 'None'],
                  ['Since', <Time key="since" at={row.created} exact />],
                  ['Contact', <ContactOf key="contact" number={row.phone_number} />],
                ]}
              />
            </Section>
            <Section title="History of this number">
              <History number={row.phone_number} />
            </Section>
          </SimpleGrid>
        </Page>
      )}
    </Loaded>
  );
}

function ContactOf({ number }: { number: string }) {
  const contacts = useList('/v2/contacts/', { phone_number: number }, { pageSize: 1 });
  const [contact] = contacts.rows;
  if (!contact) return <>No contact has this number</>;
  return (
    <Anchor component={Link} href={`/contacts/${contact.uuid}`} size="sm">
      {contact.name || contact.phone_number}
    </Anchor>
  );
}

function History({ number }: { number: string }) {
  const events = useList('/v2/opt-out-events/', { number });
  if (!events.isLoading && events.rows.length === 0) return <Text c="dimmed">Nothing is known.</Text>;
  return <Story steps={optOutSteps(events.rows)} loading={events.isLoading} />;
}
