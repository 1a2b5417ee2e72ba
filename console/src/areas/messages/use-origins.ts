import { useList } from '../../api/index.ts';
import { nameOf } from '../../parts/intros/name.ts';

interface Option {
  value: string;
  label: string;
}

/** The newest intros, to filter by. */
export const useIntros = (enabled: boolean): Option[] =>
  useList('/v2/chatapp/chat-intros/', undefined, { pageSize: 100, enabled }).rows.map((intro) => ({
    value: intro.uuid,
    label: nameOf(intro),
  }));

/** The newest launches, to filter by. */
export const useLaunches = (enabled: boolean): Option[] =>
  useList('/v2/campaign-logs/', undefined, { pageSize: 100, enabled }).rows.map(({ uuid, name, created }) => ({
    value: uuid,
    label: `${name}, ${created.slice(0, 10)}`,
  }));
