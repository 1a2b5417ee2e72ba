import assert from 'node:assert/strict';
import { bodyValidator } from '../../../platform/http/validation/index.ts';
import { checkIntro } from '../check.ts';
import { withDefaults } from '../fields.ts';
import { ChatIntroCreate } from '../schemas.ts';
import type { IntroSnapshot } from '../sessions/snapshot.ts';

const errorsOf = bodyValidator(ChatIntroCreate);

/** An intro that the API would have taken. */
export function introOf(request: object): IntroSnapshot {
  const whole = { chatapp_number: '442079460011', ...request };
  assert.equal(errorsOf(whole), null);
  const fields = withDefaults(whole as ChatIntroCreate);
  checkIntro(fields);
  return { uuid: '019a0000-0000-7000-8000-000000000001', shortcode: 'k7m2q9xw4t', ...fields };
}
