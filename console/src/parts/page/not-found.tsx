import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from 'wouter';
import { EmptyState } from './empty-state.tsx';
import { Page } from './page.tsx';

/** For addresses that no area knows; areas may show it for objects that are gone. */
export const NotFound = ({ what = 'page' }: { what?: string }) => (
  <Page title="Not found">
    <EmptyState
      icon={IconMapOff}
      title={`This ${what} does not exist.`}
      hint="It may have been deleted, or the URL is wrong."
      action={
        <Button component={Link} href="/">
          Go to the overview
        </Button>
      }
    />
  </Page>
);
