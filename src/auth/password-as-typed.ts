import { z } from 'zod';
import { hasForbiddenCharacter } from '../base/clean-text.ts';
import { forbiddenCharacter } from '../base/form-errors.ts';

/** A password as typed: not trimmed, and not checked against the password rules, because it is only compared. */
export function passwordAsTyped(name: string) {
  return z
    .string({ error: `${name} is required` })
    .refine((raw) => !hasForbiddenCharacter(raw), { error: forbiddenCharacter(name) });
}
