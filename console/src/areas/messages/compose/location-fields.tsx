import { NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import type { FormProps } from '../../../parts/messages/form-props.ts';

/** A place on the map. */
export const LocationFields = ({ form }: FormProps) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }}>
    <NumberInput
      label="Latitude"
      required
      min={-90}
      max={90}
      decimalScale={7}
      hideControls
      {...form.getInputProps('location.latitude')}
    />
    <NumberInput
      label="Longitude"
      required
      min={-180}
      max={180}
      decimalScale={7}
      hideControls
      {...form.getInputProps('location.longitude')}
    />
    <TextInput label="Name" maxLength={1000} {...form.getInputProps('location.name')} />
    <TextInput label="Address" maxLength={1000} {...form.getInputProps('location.address')} />
  </SimpleGrid>
);
