import { Skeleton } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';

/** Around a part of a page that loads its code when it is shown; the rest of the page stays in sight meanwhile. */
export const Later = ({ children }: { children: ReactNode }) => (
  <Suspense fallback={<Skeleton h={220} aria-busy="true" />}>{children}</Suspense>
);
