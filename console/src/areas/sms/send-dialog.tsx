import { Modal } from '@mantine/core';
import { useLocation } from 'wouter';
import { SendForm } from './send-form.tsx';

interface SendDialogProps {
  opened: boolean;
  close(): void;
  /** To answer, or to send again. */
  from?: string;
  to?: string;
  text?: string;
}

/** A dialog that sends an SMS and goes to it. */
export function SendDialog({ opened, close, ...given }: SendDialogProps) {
  const [, navigate] = useLocation();
  return (
    <Modal opened={opened} onClose={close} title="Send an SMS" size="lg">
      <SendForm
        {...given}
        onCancel={close}
        onDone={({ uuid }) => {
          close();
          navigate(`/sms/${uuid}`);
        }}
      />
    </Modal>
  );
}
