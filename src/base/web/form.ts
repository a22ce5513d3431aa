import type { FormEvent, KeyboardEvent } from 'react';
import { useState } from 'react';
import type { FieldErrors, FieldValues, Resolver, UseFormReturn } from 'react-hook-form';
import { uuidv4 } from 'uuidv7';
import type { FormErrors } from '../form.ts';

/**
 * A slice's verdict on a form as a resolver of react-hook-form: one message a field, from the same rules that the
 * server reads.
 */
export function verdictResolver<Form extends FieldValues>(verdict: (form: Form) => FormErrors<Form>): Resolver<Form> {
  return (values) => {
    const faults = Object.entries(verdict(values)).filter(([, message]) => message !== undefined);
    if (faults.length === 0) return { values, errors: {} };
    const errors = Object.fromEntries(faults.map(([field, message]) => [field, { type: 'rule', message }]));
    return { values: {}, errors: errors as FieldErrors<Form> };
  };
}

/**
 * A form's own `handlers`, to be spread on it, and its `submit`. Enter in a field of a form whose submit button is disabled does nothing in
 * browsers, where an invalid submit must mark every field (spec 5): so Enter is read here. A second submit waits for
 * the first.
 */
export function submits<Form extends FieldValues>(form: UseFormReturn<Form>, send: (values: Form) => Promise<void>) {
  const submit = () => {
    if (!form.formState.isSubmitting) void form.handleSubmit(send)();
  };
  const handlers = {
    onSubmit: (event: FormEvent) => {
      event.preventDefault();
      submit();
    },
    onKeyDown: (event: KeyboardEvent) => {
      const { target } = event;
      if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.defaultPrevented) return;
      const oneLine = target instanceof HTMLElement && target.dataset.line === 'one';
      if (!oneLine && !(target instanceof HTMLInputElement && target.type !== 'checkbox')) return;
      event.preventDefault();
      submit();
    },
  };
  return { submit, handlers };
}

let pressed = false;
for (const [type, now] of [
  ['pointerdown', true],
  ['pointerup', false],
  ['pointercancel', false],
] as const) {
  globalThis.window?.addEventListener(type, () => (pressed = now), { capture: true, passive: true });
}

/**
 * A form's `register`, save that a field left by pressing something is judged when the press is over: the message under
 * it would push the button away from under the finger, and the press would be lost. It also says what the field begins
 * with, for what the server draws.
 */
export function calmRegister<Form extends FieldValues>({
  register,
  formState,
}: UseFormReturn<Form>): UseFormReturn<Form>['register'] {
  return (name, options) => {
    const field = register(name, options);
    const begun: unknown = formState.defaultValues?.[name];
    return {
      ...field,
      ...(typeof begun === 'string' && { defaultValue: begun }),
      onBlur: async (event: unknown) => {
        if (pressed) await pressOver();
        return field.onBlur(event as { target: unknown });
      },
    };
  };
}

function pressOver(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // The click comes right after the release.
  const release = () => setTimeout(resolve);
  window.addEventListener('pointerup', release, { once: true });
  window.addEventListener('pointercancel', release, { once: true });
  return promise;
}

/**
 * The Idempotency-Key of a form that creates (contract 1, Retrying): the same for the same body, so that a second try
 * after a lost answer creates nothing twice; another one for another body, which the server would refuse under the
 * first key.
 */
export function useCreateKey(): (body: unknown) => string {
  const [held] = useState<{ body: string; key: string }>(() => ({ body: '', key: '' }));
  return (body) => {
    const text = JSON.stringify(body);
    if (held.key === '' || held.body !== text) Object.assign(held, { body: text, key: uuidv4() });
    return held.key;
  };
}

/** 'n / 200' with whether it is too much, for a field's counter; the specification writes some without the spaces. */
export function counter(length: number, limit: number, between: ' / ' | '/' = ' / ') {
  return { counter: `${length}${between}${limit}`, over: length > limit };
}
