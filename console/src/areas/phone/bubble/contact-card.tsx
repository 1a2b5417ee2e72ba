import { Text } from '@mantine/core';
import { usePhoneFormat } from '../../../parts/index.ts';
import { useBubbleActs } from './bubble-acts.ts';
import classes from './cards.module.css';
import { Picture } from './picture.tsx';

interface Card {
  name?: { formatted_name?: string };
  org?: { company?: string; title?: string };
  phones?: { phone?: string; wa_id?: string }[];
}

/** A contact that was sent, with its number to write to or to call. */
export function ContactCard({ contact }: { contact: Record<string, unknown> }) {
  const { openChat, dial } = useBubbleActs();
  const format = usePhoneFormat();
  const { name, org, phones = [] } = contact as Card;
  const title = name?.formatted_name || 'Contact';
  const [first] = phones;
  const number = first?.phone || (first?.wa_id ? `+${first.wa_id}` : '');
  return (
    <span className={classes['contact']}>
      <span className={classes['contactHead']}>
        <Picture name={title} size={40} />
        <span className={classes['placeWords']}>
          <Text component="span" size="sm" fw={600}>
            {title}
          </Text>
          {(org?.company || org?.title) && (
            <Text component="span" size="xs" c="dimmed">
              {[org.title, org.company].filter(Boolean).join(', ')}
            </Text>
          )}
          {number && (
            <Text component="span" size="xs" c="dimmed">
              {format(number)}
            </Text>
          )}
        </span>
      </span>
      {number && (
        <span className={classes['contactActs']}>
          <button type="button" onClick={() => openChat(number)}>
            Message
          </button>
          <button type="button" onClick={() => dial(number)}>
            Call
          </button>
        </span>
      )}
    </span>
  );
}
