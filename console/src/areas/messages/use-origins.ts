import { useList } from '../../api/index.ts';
import { nameOf } from '../../parts/intros/name.ts';

interface Option {
  value: string;
  label: string;
}

/** The newest intros and launches, to filter by; one that a link names is offered even if it is older. */
export function useOrigins(): { intros: Option[]; launches: Option[] } {
  const intros = useList('/v2/chatapp/chat-intros/', undefined, { pageSize: 100 });
  const launches = useList('/v2/campaign-logs/', undefined, { pageSize: 100 });
  const asked = new URLSearchParams(location.search);
  return {
    intros: withAsked(
      intros.rows.map((intro) => ({ value: intro.uuid, label: nameOf(intro) })),
      asked.get('chat_intro'),
    ),
    launches: withAsked(
      launches.rows.map(({ uuid, name, created }) => ({ value: uuid, label: `${name}, ${created.slice(0, 10)}` })),
      asked.get('campaign_log'),
    ),
  };
}

const withAsked = (options: Option[], value: string | null): Option[] =>
  value && !options.some((option) => option.value === value) ? [...options, { value, label: value }] : options;
