import { Select, type SelectProps } from '@mantine/core';
import { useOne } from '../../api/index.ts';

interface LanguageSelectProps extends Omit<SelectProps, 'data' | 'value'> {
  value?: string;
}

/** What a text is spoken in: a language that the server can speak, or the one that is set. */
export function LanguageSelect({ value = 'en', ...props }: LanguageSelectProps) {
  const { data } = useOne('/v2/voice/languages/');
  const offered = (data?.results ?? []).map(({ language, name }) => ({ value: language, label: name }));
  const isOffered = offered.some((option) => option.value === value);
  const description =
    data && offered.length === 1
      ? 'This server speaks English only. Its operator can install espeak-ng for other languages.'
      : 'The text is spoken in this language.';
  return (
    <Select
      label="Language"
      description={description}
      {...props}
      value={value}
      data={isOffered ? offered : [{ value, label: value === 'en' ? 'English' : value }, ...offered]}
      searchable
      allowDeselect={false}
      nothingFoundMessage="This language cannot be spoken here."
    />
  );
}
