import { Alert, Badge, Button, Group, Select, Stack, Text } from '@mantine/core';
import { ListSelect } from '../../../parts/fields/list-select.tsx';
import { Section } from '../../../parts/index.ts';
import { locale } from '../../../parts/locale.ts';
import { type ColumnPlan, problemOf } from './columns.ts';
import { Mapping } from './mapping.tsx';
import { type Delimiter, delimiters, type Sniffed } from './sniff.ts';

interface StepColumnsProps {
  file: File;
  sniffed: Sniffed;
  plan: ColumnPlan[];
  list: string;
  isBusy: boolean;
  setPlan(plan: ColumnPlan[]): void;
  setList(uuid: string): void;
  setDelimiter(delimiter: Delimiter): void;
  onBack(): void;
  onCheck(): void;
}

/** Says what the columns are, and which list the people join. */
export function StepColumns(props: StepColumnsProps) {
  const { file, sniffed, plan, list, isBusy, setPlan, setList, setDelimiter, onBack, onCheck } = props;
  const problem = problemOf(plan);
  return (
    <Stack>
      <Section title="Columns" description="Map each column. Empty cells do not overwrite existing values.">
        <Group mb="md" gap="xs">
          <Text size="sm" fw={600}>
            {file.name}
          </Text>
          <Badge variant="light" color="gray" tt="none">
            {sizeOf(file.size)}
          </Badge>
          <Badge variant="light" color="gray" tt="none">
            {sniffed.encoding}
          </Badge>
          <Badge variant="light" color="gray" tt="none">
            {plan.length} columns
          </Badge>
        </Group>
        <Select
          label="Delimiter"
          data={delimiters}
          value={sniffed.delimiter}
          allowDeselect={false}
          onChange={(value) => value && setDelimiter(value as Delimiter)}
          maw="16rem"
          mb="md"
        />
        <Mapping plan={plan} onChange={setPlan} />
      </Section>
      <Section title="List" description="Campaigns are sent to lists. You can also add contacts later.">
        <ListSelect label="Add everyone to list" value={list} onChange={setList} />
      </Section>
      {problem && (
        <Alert color="orange" role="status">
          {problem}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          Choose another file
        </Button>
        <Button onClick={onCheck} disabled={problem !== undefined} loading={isBusy}>
          Check the file
        </Button>
      </Group>
    </Stack>
  );
}

const figure = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const sizeOf = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} bytes`
    : bytes < 1e6
      ? `${figure.format(bytes / 1e3)} kB`
      : `${figure.format(bytes / 1e6)} MB`;
