/** What a number can do, by name. A number has the capabilities its carrier gave it. */
export const capabilities = {
  VOICE: 'Receives and makes calls.',
  SMS: 'Receives and sends text messages.',
  MMS: 'Can carry MMS at its carrier. Parley itself neither sends nor receives MMS.',
} as const;

/** What is done with a call or SMS to a number, each with the field of the number that it uses. */
export const features = {
  TTS: { field: 'tts', description: 'Speaks the text of `tts` to the caller.' },
  WHISPER: {
    field: 'whisper_file',
    description: 'Plays `whisper_file` to the called party after pick-up, while the caller still hears ringing.',
  },
  CALL_TRACKING: {
    field: 'call_tracking',
    description:
      'Puts the label in `call_tracking`, and whether the caller called for the first time, on the call record.',
  },
  RECORD_CALL: {
    field: 'record_call_file',
    description: 'Plays `record_call_file` to the caller, then records both sides, one channel each.',
  },
  KEEP_NUMBER: {
    field: 'keep_number_file',
    description:
      "Shows the target the caller's own number instead of yours; `keep_number_file` is played to the caller first.",
  },
  VOICEMAIL_LITE: {
    field: 'voicemail_lite_file',
    description: 'When nobody answers: plays `voicemail_lite_file` and a tone, and records up to 120 seconds.',
  },
  CAPTURE_DIGITS: {
    field: 'capture_digits_file',
    description: 'Plays `capture_digits_file` and collects 1 to 20 digits, which can decide the route; `#` ends them.',
  },
  KEYWORDS: {
    field: 'keywords',
    description: 'Recognises an inbound SMS whose first word is one of `keywords`; it can be routed by it.',
  },
} as const;

export type Capability = keyof typeof capabilities;
export type Feature = keyof typeof features;

export const capabilityNames = Object.keys(capabilities) as Capability[];
export const featureNames = Object.keys(features) as Feature[];
