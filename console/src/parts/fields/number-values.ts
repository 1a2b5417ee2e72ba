import type { Schema } from '../../api/index.ts';

/** What the form of a number holds: free data stands there as text. */
export interface NumberValues {
  target_number: string;
  webhooks: string[];
  features: Schema<'Number'>['features'];
  tts: string;
  tts_language: string;
  whisper_file: string;
  call_tracking: string;
  record_call_file: string;
  keep_number_file: string;
  voicemail_lite_file: string;
  capture_digits_file: string;
  keywords: string[];
  meta: string;
}

export function valuesOf(number: Schema<'StoredNumber'>): NumberValues {
  const { target_number, webhooks, features, tts, tts_language, whisper_file, call_tracking, keywords, meta } = number;
  const { record_call_file, keep_number_file, voicemail_lite_file, capture_digits_file } = number;
  return {
    target_number,
    webhooks,
    features,
    tts,
    tts_language,
    whisper_file,
    call_tracking,
    record_call_file,
    keep_number_file,
    voicemail_lite_file,
    capture_digits_file,
    keywords,
    meta: Object.keys(meta).length > 0 ? JSON.stringify(meta, null, 2) : '',
  };
}

/** null, or why a text is no object of JSON. */
export function notAnObject(text: string): string | null {
  if (!text.trim()) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'Write an object: {"key": …}.';
  } catch {
    return 'This is not JSON.';
  }
}

/** `undefined` for an empty text. */
export const objectOf = (text: string): Record<string, never> | undefined =>
  text.trim() ? JSON.parse(text) : undefined;
