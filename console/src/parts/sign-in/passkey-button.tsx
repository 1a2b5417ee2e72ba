import { Button } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { askForPasskey, isGivenUp } from './passkeys.ts';

interface PasskeyButtonProps {
  label: string;
  /** With what `passkey` of the API takes. */
  use(passkey: never): Promise<void>;
  onProblem(error: unknown): void;
}

/** Asks the browser for a passkey. */
export function PasskeyButton({ label, use, onProblem }: PasskeyButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    try {
      await use(await askForPasskey());
    } catch (error) {
      if (!isGivenUp(error)) onProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button variant="default" leftSection={<IconFingerprint size={18} />} loading={isBusy} onClick={() => void ask()}>
      {label}
    </Button>
  );
}
