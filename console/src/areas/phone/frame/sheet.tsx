import { ActionIcon, FocusTrap, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import classes from './sheet.module.css';

/** A sheet that comes up from the lower edge of the phone. */
export function Sheet({
  title,
  onClose,
  children,
  tall = false,
}: {
  title: string;
  onClose(): void;
  children: ReactNode;
  tall?: boolean;
}) {
  const id = useId();
  return (
    <div className={classes['around']}>
      {/* The button in the sheet does the same for those who do not point. */}
      <div className={classes['shade']} onClick={onClose} aria-hidden />
      <FocusTrap active>
        <div
          className={classes['sheet']}
          data-tall={tall}
          role="dialog"
          aria-modal="true"
          aria-labelledby={id}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            onClose();
          }}
        >
          <div className={classes['head']}>
            <Text id={id} component="h3" fw={650} size="md" className={classes['title']}>
              {title}
            </Text>
            <ActionIcon variant="subtle" color="gray" aria-label="Close" onClick={onClose}>
              <IconX size={18} />
            </ActionIcon>
          </div>
          <div className={classes['body']}>{children}</div>
        </div>
      </FocusTrap>
    </div>
  );
}
