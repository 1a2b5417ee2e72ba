import { Button, FileButton, Text, ThemeIcon } from '@mantine/core';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useState } from 'react';
import classes from './file-drop.module.css';

/** A place to drop a CSV file, with a button for those who do not drag. */
export function FileDrop({ onFile, hint }: { onFile(file: File): void; hint?: ReactNode }) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same
    <div
      className={classes['drop']}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <ThemeIcon size={56} radius="xl" variant="light">
        <IconFileTypeCsv size={28} stroke={1.5} />
      </ThemeIcon>
      <Text fw={600} size="lg">
        Drop a CSV file here
      </Text>
      {hint && (
        <Text c="dimmed" size="sm" maw="34rem" component="div">
          {hint}
        </Text>
      )}
      <FileButton accept=".csv,.txt,.tsv,text/csv,text/plain" onChange={(file) => file && onFile(file)}>
        {(props) => (
          <Button {...props} mt="xs">
            Choose a file
          </Button>
        )}
      </FileButton>
    </div>
  );
}
