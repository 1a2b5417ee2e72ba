/** What was typed as JSON: the object, or a sentence about where it breaks. */
export type Read = { definition: Record<string, unknown> | undefined; problem?: undefined } | { problem: string };

export function readDefinition(text: string): Read {
  if (text.trim() === '') return { definition: undefined };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { definition: value as Record<string, unknown> };
    return { problem: 'A flow is an object with "version" and "screens".' };
  } catch (error) {
    return { problem: sayPlace(error instanceof Error ? error.message : '', text) };
  }
}

/** Browsers name the position, people look for the line. */
function sayPlace(message: string, text: string): string {
  const [, line] = /line (\d+)/.exec(message) ?? [];
  const [, position] = /position (\d+)/.exec(message) ?? [];
  const at = line ?? (position && String(text.slice(0, Number(position)).split('\n').length));
  const near =
    position && text.slice(Math.max(0, Number(position) - 15), Number(position) + 10).replaceAll(/\s+/g, ' ');
  return `This is not JSON${at ? `: look at line ${at}` : ''}${near ? `, near “${near.trim()}”` : ''}.`;
}

export const example = {
  version: '7.3',
  screens: [
    {
      id: 'VIEWING',
      title: 'Book a viewing',
      terminal: true,
      layout: {
        type: 'SingleColumnLayout',
        children: [
          { type: 'TextHeading', text: 'When would you like to come?' },
          { type: 'DatePicker', name: 'day', label: 'Day', required: true },
          {
            type: 'RadioButtonsGroup',
            name: 'time',
            label: 'Time of day',
            required: true,
            'data-source': [
              { id: 'morning', title: 'Morning' },
              { id: 'afternoon', title: 'Afternoon' },
            ],
          },
          { type: 'TextArea', name: 'notes', label: 'Anything we should know?' },
          {
            type: 'Footer',
            label: 'Send',
            'on-click-action': {
              name: 'complete',
              // biome-ignore lint/suspicious/noTemplateCurlyInString: the platform's own placeholders
              payload: { day: '${form.day}', time: '${form.time}', notes: '${form.notes}' },
            },
          },
        ],
      },
    },
  ],
};
