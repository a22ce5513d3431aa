import type { ReactNode } from 'react';
import { prerender } from 'react-dom/static';

/**
 * Renders to HTML, on the server.
 * @throws the first error that a component throws
 */
export async function toHtml(node: ReactNode): Promise<string> {
  const errors: unknown[] = [];
  const { prelude } = await prerender(node, {
    // One chunk: React moves further chunks into place with inline scripts, which the Content-Security-Policy forbids.
    progressiveChunkSize: Number.MAX_SAFE_INTEGER,
    onError: (error) => void errors.push(error),
  });
  const html = await new Response(prelude).text();
  if (errors.length > 0) throw errors[0];
  return html;
}
