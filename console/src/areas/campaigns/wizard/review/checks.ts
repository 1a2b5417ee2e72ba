import { restOf } from '../../../../parts/writing/index.ts';
import { isWhole } from '../audience/segment.ts';
import { type CampaignForm, isTemplate } from '../form.ts';

/** What a step lacks before one can go on; all else is for the API to say. */
export function checksOf(form: CampaignForm, step: number): Record<string, string> {
  const errors: Record<string, string> = {};
  if (step === 0) {
    if (!form.name.trim()) errors['name'] = 'Give it a name.';
    if (!form.sender) errors['sender'] = 'Choose who it comes from.';
  }
  if (step === 1) {
    if (form.lists.length === 0) errors['lists'] = 'Choose at least one list.';
    for (const [index, row] of form.segment.entries()) {
      if (!row.field.trim()) errors[`segment.${index}.field`] = 'Say what is compared, or remove the row.';
      else if (!isWhole(row)) errors[`segment.${index}.value`] = 'Say what it is compared with, or remove the row.';
    }
  }
  if (step === 2) {
    if (isTemplate(form)) {
      if (!form.template.name) errors['template.name'] = 'Choose a template.';
      if (form.template.rest.trim() && restOf(form.template.rest).length === 0)
        errors['template.rest'] = 'Enter a list of components as JSON.';
    } else if (!form.text.trim()) errors['text'] = 'Write a text.';
  }
  if (step === 3) {
    if (form.when === 'later' && !form.send_at) errors['send_at'] = 'Say when.';
    if (form.meta_data.trim() && !isObject(form.meta_data)) errors['meta_data'] = 'Enter a JSON object.';
  }
  return errors;
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
