import { canonicalLanguage, english } from '../../platform/speech/languages.ts';
import { type Feature, featureNames, features } from './catalogue.ts';
import { type NumberUpdate, type Settings, settingNames } from './schemas.ts';

const unset: Settings = {
  target_number: '',
  webhooks: [],
  meta: {},
  features: [],
  tts: '',
  tts_language: english,
  whisper_file: '',
  call_tracking: '',
  record_call_file: '',
  keep_number_file: '',
  voicemail_lite_file: '',
  capture_digits_file: '',
  keywords: [],
};

/** The settings a request asks for, with defaults for what it leaves out. */
export function completeSettings(given: NumberUpdate): Settings {
  const settings = mergeSettings(unset, given);
  return { ...settings, features: given.features ?? featuresInUse(settings) };
}

/** The settings as they are, changed where the request names them. */
function mergeSettings(before: Settings, given: NumberUpdate): Settings {
  const merged = settingNames.map((name) => [name, given[name] ?? before[name]]);
  const settings = Object.fromEntries(merged) as unknown as Settings;
  return { ...settings, tts_language: canonicalLanguage(settings.tts_language) };
}

/** The same for PATCH, where a feature is also switched on by the field that it uses. */
export function patchSettings(before: Settings, given: NumberUpdate): Settings {
  const settings = mergeSettings(before, given);
  const switchedOn = featureNames.filter(
    (name) => !before.features.includes(name) && (given[features[name].field]?.length ?? 0) > 0,
  );
  return { ...settings, features: given.features ?? [...before.features, ...switchedOn] };
}

/** The settings that differ, by name. */
export const changedSettings = (before: Settings, after: Settings): string[] =>
  settingNames.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));

const featuresInUse = (settings: Settings): Feature[] =>
  featureNames.filter((name) => settings[features[name].field].length > 0);
