import { Avatar } from '@mantine/core';

/** The picture of whoever one writes or speaks with: initials of the name, in a colour of its own. */
export function Picture({ name, size }: { name: string; size: number }) {
  // A number or a sign says nothing.
  const letters = name
    .replaceAll(/[^\p{L}\s]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return (
    <Avatar
      component="span"
      name={letters || undefined}
      color={letters ? 'initials' : 'gray'}
      size={size}
      aria-hidden
    />
  );
}
