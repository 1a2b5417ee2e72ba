import { Alert, List } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { keepWarnings, warningsAbout } from '../../api/index.ts';

/** What the API said when this intro was saved: it was taken, and will not do what its author expects. */
export function SavedWarnings({ uuid }: { uuid: string }) {
  const [warnings, setWarnings] = useState(warningsAbout(uuid));
  if (warnings.length === 0) return null;
  const close = () => {
    keepWarnings({ uuid }, []);
    setWarnings([]);
  };
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle />}
      title="Saved with warnings"
      mb="lg"
      withCloseButton
      closeButtonLabel="Close the warnings"
      onClose={close}
    >
      <List size="sm">
        {warnings.map((text) => (
          <List.Item key={text} style={{ overflowWrap: 'anywhere' }}>
            {text}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
