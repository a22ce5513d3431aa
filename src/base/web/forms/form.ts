import { useState } from 'react';
import type { FieldErrors, FieldValues, Resolver, UseFormReturn } from 'react-hook-form';
import { uuidv4 } from 'uuidv7';
import type { FormErrors } from '../../form.ts';

/** Turns a slice's form rules into a resolver for react-hook-form, with one message per field. */
export function verdictResolver<Form extends FieldValues>(verdict: (form: Form) => FormErrors<Form>): Resolver<Form> {
  return (values) => {
    const faults = Object.entries(verdict(values)).filter(([, message]) => message !== undefined);
    if (faults.length === 0) return { values, errors: {} };
    const errors = Object.fromEntries(faults.map(([field, message]) => [field, { type: 'rule', message }]));
    return { values: {}, errors: errors as FieldErrors<Form> };
  };
}

let isPressed = false;
for (const type of ['pointerdown', 'pointerup', 'pointercancel']) {
  globalThis.window?.addEventListener(type, () => (isPressed = type === 'pointerdown'), {
    capture: true,
    passive: true,
  });
}

/**
 * A form's `register` that validates a field on blur only after the pointer is released: otherwise the message below the
 * field could move the pressed button away, and the click would be lost. It also sets the default value for server-side
 * rendering.
 */
export function registerWithLateBlur<Form extends FieldValues>({
  register,
  formState,
}: UseFormReturn<Form>): UseFormReturn<Form>['register'] {
  return (name, options) => {
    const field = register(name, options);
    const defaultValue: unknown = formState.defaultValues?.[name];
    return {
      ...field,
      ...(typeof defaultValue === 'string' && { defaultValue }),
      onBlur: async (event: unknown) => {
        if (isPressed) await untilReleased();
        return field.onBlur(event as { target: unknown });
      },
    };
  };
}

function untilReleased(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // The click event follows right after the release.
  const release = () => setTimeout(resolve);
  window.addEventListener('pointerup', release, { once: true });
  window.addEventListener('pointercancel', release, { once: true });
  return promise;
}

/**
 * Returns a function for a create form's Idempotency-Key. The same body gets the same key, so that
 * a retry after a lost response creates nothing twice; another body gets a new key.
 */
export function useCreateKey(): (body: unknown) => string {
  const [held] = useState<{ body: string; key: string }>(() => ({ body: '', key: '' }));
  return (body) => {
    const text = JSON.stringify(body);
    if (held.key === '' || held.body !== text) Object.assign(held, { body: text, key: uuidv4() });
    return held.key;
  };
}

/** A field's counter, 'n / 200', and whether the limit is exceeded. Some forms have it without spaces. */
export function counter(length: number, limit: number, between: ' / ' | '/' = ' / ') {
  return { counter: `${length}${between}${limit}`, over: length > limit };
}
