import type { FieldErrors } from '../../../platform/errors.ts';
import { eachItem } from './each-item.ts';
import type { Button } from './schemas.ts';
import { variablesOf } from './variables.ts';

const mostOf: Partial<Record<Button['type'], number>> = { URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1 };

export function buttonErrors(buttons: readonly Button[], category: string): FieldErrors | undefined {
  const isAuthentication = category === 'AUTHENTICATION';
  if (isAuthentication && (buttons.length !== 1 || buttons[0]!.type !== 'OTP')) {
    return { buttons: ['An authentication template has exactly one button, of type OTP.'] };
  }
  const errors = eachItem(buttons, (button, index) => {
    const problem = placeProblem(buttons, index);
    if (problem) return { type: [problem] };
    if (button.type === 'OTP' && !isAuthentication) return { type: ['For authentication templates only.'] };
    return fieldErrors(button);
  });
  return errors && { buttons: errors };
}

/** What is wrong with a button being there at all. */
function placeProblem(buttons: readonly Button[], index: number): string | undefined {
  const { type } = buttons[index]!;
  const before = buttons.slice(0, index).map((other) => other.type);
  const most = mostOf[type];
  if (most !== undefined && before.filter((other) => other === type).length >= most) {
    return `At most ${most} of this type ${most === 1 ? 'is' : 'are'} allowed.`;
  }
  const isApart = type === 'QUICK_REPLY' && before.includes(type) && before.at(-1) !== type;
  return isApart ? 'Quick replies must stand together.' : undefined;
}

function fieldErrors(button: Button): FieldErrors | undefined {
  switch (button.type) {
    case 'URL':
      return urlErrors(button);
    case 'OTP':
      return button.otp_type !== 'COPY_CODE' && !button.supported_apps
        ? { supported_apps: ['This field is required.'] }
        : undefined;
    case 'FLOW': {
      const given = [button.flow_id, button.flow_name, button.flow_json].filter((value) => value !== undefined);
      return given.length === 1 ? undefined : { flow_id: ['Give one of flow_id, flow_name and flow_json.'] };
    }
    default:
      return undefined;
  }
}

function urlErrors({ url, example }: Extract<Button, { type: 'URL' }>): FieldErrors | undefined {
  const variables = variablesOf(url);
  const isWhole = variables.length === 0 || (variables.length === 1 && variables[0] === '1' && url.endsWith('}}'));
  if (!isWhole) return { url: ['It may end in one variable, {{1}}, and have no other.'] };
  if (!URL.canParse(url.replace(/\{\{.*$/, ''))) return { url: ['Enter a valid URL.'] };
  return variables.length === 1 && !example ? { example: ['Give an example of the whole address.'] } : undefined;
}
