import { Modal, type ModalProps } from '@mantine/core';
import { useLayoutEffect } from 'react';

/** A dialog that is open as long as it exists. When it goes, the focus returns to where it was when it came. */
export function OpenDialog(props: Omit<ModalProps, 'opened'>) {
  useLayoutEffect(() => {
    const before = document.activeElement;
    return () => {
      // What was focused in the dialog goes with it; whoever has gone elsewhere stays there.
      setTimeout(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement)
          before.focus({ preventScroll: true });
      });
    };
  }, []);
  return <Modal opened {...props} />;
}
