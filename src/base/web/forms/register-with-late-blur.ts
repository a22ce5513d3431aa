import type { FieldValues, UseFormReturn } from 'react-hook-form';

let isPressed = false;
for (const type of ['pointerdown', 'pointerup', 'pointercancel']) {
  window.addEventListener(type, () => (isPressed = type === 'pointerdown'), {
    capture: true,
    passive: true,
  });
}

/**
 * A form's `register` that validates a field on blur only after the pointer is released: otherwise the message below the
 * field could move the pressed button away, and the click would be lost.
 */
export function registerWithLateBlur<Form extends FieldValues>({
  register,
}: UseFormReturn<Form>): UseFormReturn<Form>['register'] {
  return (name, options) => {
    const field = register(name, options);
    return {
      ...field,
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
