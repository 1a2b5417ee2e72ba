import { Box, Divider, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ConditionsFields } from './conditions.tsx';
import { DestinationFields } from './destination-fields.tsx';
import classes from './routing.module.css';
import type { ConfigValues, RouteValues } from './values.ts';

interface RouteFieldsProps {
  form: UseFormReturnType<ConfigValues>;
  route: RouteValues;
  index: number;
}

/** What an open route asks for. */
export const RouteFields = ({ form, route, index }: RouteFieldsProps) => (
  <Box className={classes['body'] ?? ''}>
    <Stack gap="md" pt="sm">
      <TextInput
        label="Name"
        description="Shown in the records of matching calls and messages."
        placeholder="Office hours"
        maxLength={200}
        {...form.getInputProps(`routes.${index}.name`)}
      />
      <Divider label="Conditions (all must match)" labelPosition="left" />
      <ConditionsFields form={form} index={index} />
      <Divider label="Destination" labelPosition="left" />
      <DestinationFields form={form} at={`routes.${index}.destination`} values={route.destination} />
      <Divider label="Split traffic" labelPosition="left" />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Group"
          description="Split traffic between routes: adjacent routes with the same group share their traffic by weight."
          placeholder="None"
          maxLength={50}
          {...form.getInputProps(`routes.${index}.group`)}
        />
        {route.group && (
          <NumberInput
            label="Weight"
            description="Share of traffic within the group."
            min={1}
            max={1000}
            {...form.getInputProps(`routes.${index}.weight`)}
          />
        )}
      </SimpleGrid>
    </Stack>
  </Box>
);
