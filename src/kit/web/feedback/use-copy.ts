import { useNotify } from './notices.tsx';

/**
 * Returns a function that copies a text, says so, and resolves to whether it could. The clipboard is unavailable over
 * plain HTTP and without permission: then a notice asks to copy by hand.
 * @param what 'the words'
 */
export function useCopy(what: string): (text: string) => Promise<boolean> {
  const notify = useNotify();
  return async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      notify.status('Copied');
      return true;
    } catch {
      notify.status(`Please select and copy ${what} yourself`);
      return false;
    }
  };
}
