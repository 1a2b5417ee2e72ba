import { contentView, PhonePreview } from '../bubble/index.ts';
import { contentOf, type Draft } from './draft.ts';
import { useDefinitions } from './use-definitions.ts';
import { useSenders } from './use-senders.ts';

/** What the person will see. */
export function DraftPreview({ draft }: { draft: Draft }) {
  const { nameOf } = useSenders();
  const isTemplate = draft.type === 'TEMPLATE';
  const definitions = useDefinitions(draft.chatapp_number, isTemplate);
  const definition = definitions.find(draft.template.name, draft.template.language);
  return (
    <PhonePreview
      from={nameOf(draft.chatapp_number)}
      view={contentView(draft.type, contentOf(draft), definition)}
      note={isTemplate && definition ? 'Orange: variables without a value.' : undefined}
    />
  );
}
