import { Text } from '@mantine/core';
import { IconMapPinFilled } from '@tabler/icons-react';
import type { Message } from '../types.ts';
import classes from './cards.module.css';

/** A place: no map comes from outside, so a drawn one stands for it. */
export function PlaceCard({ location }: { location: NonNullable<Message['location']> }) {
  const { latitude, longitude, name, address } = location as {
    latitude: number | string;
    longitude: number | string;
    name?: string;
    address?: string;
  };
  return (
    <span className={classes['place']}>
      <span className={classes['map']} aria-hidden>
        <IconMapPinFilled size={34} />
      </span>
      <span className={classes['placeWords']}>
        {name && (
          <Text component="span" size="sm" fw={600}>
            {name}
          </Text>
        )}
        {address && (
          <Text component="span" size="xs">
            {address}
          </Text>
        )}
        <Text component="span" size="xs" c="dimmed">
          {`${Number(latitude).toFixed(5)}, ${Number(longitude).toFixed(5)}`}
        </Text>
      </span>
    </span>
  );
}
