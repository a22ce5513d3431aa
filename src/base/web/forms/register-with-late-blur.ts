import type { FieldValues, UseFormReturn } from 'react-hook-form';

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
