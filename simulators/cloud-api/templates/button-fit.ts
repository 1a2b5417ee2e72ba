import { GraphError } from '../graph/errors.ts';
import type { SentComponent, SentParameter } from './fit.ts';
import { type TemplateButton, variablesOf } from './parts.ts';

/** What a send calls the kinds of buttons that take parameters. */
const subTypes: Readonly<Record<string, string>> = {
  QUICK_REPLY: 'quick_reply',
  URL: 'url',
  FLOW: 'flow',
  COPY_CODE: 'copy_code',
  MPM: 'mpm',
  CATALOG: 'catalog',
};

/** Throws unless the buttons of a send are those of the template, each with what it needs. */
export function fitButtons(approved: readonly TemplateButton[], sent: readonly SentComponent[]): void {
  const given = new Map<number, SentComponent>();
  for (const component of sent.filter(({ type }) => type.toLowerCase() === 'button')) {
    const index = Number(component.index);
    const expected = subTypes[approved[index]?.type.toUpperCase() ?? ''];
    if (expected === undefined || expected !== component.sub_type?.toLowerCase()) {
      throw new GraphError(132012, `buttons: Button at index ${index} is not of type ${component.sub_type}`);
    }
    if (given.has(index)) throw new GraphError(132012, `buttons: Button at index ${index} is given twice`);
    given.set(index, component);
  }
  for (const [index, button] of approved.entries()) fitButton(index, button, given.get(index)?.parameters?.[0]);
}

function fitButton(index: number, button: TemplateButton, parameter: SentParameter | undefined): void {
  const where = `buttons: Button at index ${index}`;
  switch (button.type.toUpperCase()) {
    case 'URL':
      if (variablesOf(button.url).length > 0) checkWords(where, need(where, 'Url', 'text', parameter).text ?? '');
      else if (parameter) throw new GraphError(132018, `${where} of type Url does not require parameters`);
      break;
    case 'COPY_CODE':
      if (!/^[0-9a-zA-Z]{1,20}$/.test(need(where, 'CopyCode', 'coupon_code', parameter).coupon_code ?? '')) {
        throw new GraphError(132018, `${where}: coupon_code must be 1 to 20 letters and digits`);
      }
      break;
    case 'QUICK_REPLY':
      if (parameter) need(where, 'QuickReply', 'payload', parameter);
      break;
    case 'FLOW':
    case 'CATALOG':
      if (parameter) need(where, 'Flow', 'action', parameter);
      break;
    case 'MPM':
      need(where, 'Mpm', 'action', parameter);
  }
}

function need(where: string, button: string, type: string, parameter: SentParameter | undefined): SentParameter {
  if (!parameter) throw new GraphError(131008, `${where} of type ${button} requires a parameter`);
  if (parameter.type.toLowerCase() !== type) {
    throw new GraphError(132012, `${where}: Format mismatch, expected ${type}, received ${parameter.type}`);
  }
  return parameter;
}

/** The rules for every text that fills a variable. */
export function checkWords(where: string, text: string): void {
  if (text === '') throw new GraphError(131008, `${where}: Parameter of type text is missing text value`);
  if (/[\n\t]| {5}/.test(text)) {
    throw new GraphError(
      132018,
      `${where}: Param text cannot have new-line/tab characters or more than 4 consecutive spaces`,
    );
  }
}
