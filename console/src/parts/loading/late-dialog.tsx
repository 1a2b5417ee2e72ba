import { type ComponentType, Suspense, useEffect, useState } from 'react';
import { lazily } from './lazily.ts';

/**
 * A dialog that most visitors of its page never open: its code is loaded when it is first opened.
 * `const SendDialog = lateDialog(async () => (await import('./send-dialog.tsx')).SendDialog)`
 */
export function lateDialog<Props extends { opened: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Dialog = lazily(async () => ({ default: await load() })) as unknown as ComponentType<Props>;
  return function LateDialog(props: Props) {
    const [isWanted, setWanted] = useState(props.opened);
    if (props.opened && !isWanted) setWanted(true);
    return isWanted ? (
      <Suspense>
        <Opening {...props} Dialog={Dialog} />
      </Suspense>
    ) : null;
  };
}

/** A dialog has to be closed first: only as it opens it notes where the focus was, to give it back. */
function Opening<Props extends { opened: boolean }>({ Dialog, ...rest }: Props & { Dialog: ComponentType<Props> }) {
  const props = rest as unknown as Props;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(props.opened), [props.opened]);
  return <Dialog {...props} opened={isOpen} />;
}
