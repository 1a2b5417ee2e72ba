import { Button, Kbd, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Suspense } from 'react';
import { lazily } from '../parts/loading/lazily.ts';

const Palette = lazily(() => import('./palette.tsx'));
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Opens the search over everything, as Ctrl-K and ⌘K do, also from within a field. */
export function SearchButton() {
  const [opened, { open, close }] = useDisclosure();
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconSearch size={16} aria-hidden />}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={open}
      >
        Search
        <VisuallyHidden> pages, people, numbers and actions</VisuallyHidden>
        <Kbd ml="xs" size="xs" visibleFrom="sm" aria-hidden>
          {isMac ? '⌘K' : 'Ctrl K'}
        </Kbd>
      </Button>
      {opened && (
        <Suspense>
          <Palette onClose={close} />
        </Suspense>
      )}
    </>
  );
}
