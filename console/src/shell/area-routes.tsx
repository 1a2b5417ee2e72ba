import { Skeleton, Stack } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { Suspense } from 'react';
import { useLocation } from 'wouter';
import { areaOf } from '../areas.ts';
import { useAway } from '../parts/loading/lazily.ts';
import { useMaySee } from '../parts/may.tsx';
import { Boundary } from '../parts/page/boundary.tsx';
import { EmptyState } from '../parts/page/empty-state.tsx';
import { NoAccess } from '../parts/page/no-access.tsx';
import { NotFound } from '../parts/page/not-found.tsx';
import { Shell } from './shell.tsx';

/** Shows the area of the address: within the shell, or alone. */
export function AreaRoutes() {
  const [location] = useLocation();
  const address = location.replace(/(.)\/$/, '$1');
  const area = areaOf(address);
  const maySee = useMaySee();
  if (area && !maySee(address))
    return (
      <Shell area={area}>
        <NoAccess key={address} title={area.title} address={address} />
      </Shell>
    );
  const page = area ? (
    <Boundary key={area.path}>
      <Suspense fallback={<Waiting />}>
        <area.Component />
      </Suspense>
    </Boundary>
  ) : (
    <NotFound />
  );
  return area?.bare ? page : <Shell area={area}>{page}</Shell>;
}

function Waiting() {
  const away = useAway();
  if (away) {
    return (
      <EmptyState
        icon={IconPlugConnectedX}
        title="Cannot reach the server."
        hint="This page opens as soon as the server is back."
      />
    );
  }
  return (
    <Stack aria-busy="true">
      <Skeleton h={36} w={240} />
      <Skeleton h={320} />
    </Stack>
  );
}
