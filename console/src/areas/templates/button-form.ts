import { type Fields, inside, listOf, textOf } from '../../api/index.ts';

export type ButtonType = 'QUICK_REPLY' | 'URL' | 'PHONE_NUMBER' | 'COPY_CODE' | 'FLOW' | 'OTP';

/** A button while it is written: the fields of all types. */
export interface ButtonForm {
  type: ButtonType;
  text: string;
  url: string;
  example: string;
  phone_number: string;
  flow_name: string;
  flow_id: string;
  navigate_screen: string;
  otp_type: string;
  package_name: string;
  signature_hash: string;
  zero_tap_terms_accepted: boolean;
  /** What the editor has no field for. */
  kept: Fields;
}

export const buttonTypes: { value: ButtonType; label: string }[] = [
  { value: 'QUICK_REPLY', label: 'Quick reply' },
  { value: 'URL', label: 'Link' },
  { value: 'PHONE_NUMBER', label: 'Call a number' },
  { value: 'COPY_CODE', label: 'Copy a code' },
  { value: 'FLOW', label: 'Open a flow' },
];

export const blankButton = (type: ButtonType): ButtonForm => ({
  type,
  text: '',
  url: '',
  example: '',
  phone_number: '',
  flow_name: '',
  flow_id: '',
  navigate_screen: '',
  otp_type: 'COPY_CODE',
  package_name: '',
  signature_hash: '',
  zero_tap_terms_accepted: false,
  kept: {},
});

export function buttonFormOf(button: Fields): ButtonForm {
  const { example } = button;
  const [app = {}] = listOf(button['supported_apps']);
  const texts = ['text', 'url', 'phone_number', 'flow_name', 'flow_id', 'navigate_screen'] as const;
  return {
    ...blankButton((textOf(button['type']).toUpperCase() || 'QUICK_REPLY') as ButtonType),
    ...Object.fromEntries(texts.map((name) => [name, textOf(button[name])])),
    example: Array.isArray(example) ? textOf(example[0]) : textOf(example),
    otp_type: textOf(button['otp_type']) || 'COPY_CODE',
    package_name: textOf(app['package_name']),
    signature_hash: textOf(app['signature_hash']),
    zero_tap_terms_accepted: button['zero_tap_terms_accepted'] === true,
    kept: inside({
      flow_json: button['flow_json'],
      flow_action: button['flow_action'],
      autofill_text: button['autofill_text'],
    }),
  };
}

const given = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== undefined));

/** As the API takes it. */
export function buttonOf(button: ButtonForm): Fields {
  const { type, text, url, example, phone_number, flow_name, flow_id, navigate_screen, kept } = button;
  switch (type) {
    case 'URL':
      return { type, text, url, ...(example && url.includes('{{') && { example: [example] }) };
    case 'PHONE_NUMBER':
      return { type, text, phone_number: phone_number.replaceAll(/[\s().-]/g, '') };
    case 'COPY_CODE':
      return { type, example };
    case 'FLOW':
      return {
        type,
        text,
        ...given({ flow_name: flow_id ? '' : flow_name, flow_id, navigate_screen }),
        ...given({ flow_json: kept['flow_json'], flow_action: kept['flow_action'] }),
      };
    case 'OTP':
      return otpOf(button);
    default:
      return { type, text };
  }
}

function otpOf({
  type,
  text,
  otp_type,
  package_name,
  signature_hash,
  zero_tap_terms_accepted,
  kept,
}: ButtonForm): Fields {
  return {
    type,
    otp_type,
    ...given({ text, autofill_text: kept['autofill_text'] }),
    ...(otp_type !== 'COPY_CODE' &&
      (package_name || signature_hash) && { supported_apps: [{ package_name, signature_hash }] }),
    ...(otp_type === 'ZERO_TAP' && { zero_tap_terms_accepted }),
  };
}
