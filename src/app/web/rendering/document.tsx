import { SSR_DATA_ID } from '../../../base/ssr.ts';
import { THEME_COLORS } from './theme-colors.ts';
import { toHtml } from './to-html.ts';

const APP_NAME = 'Our Love Story';

/** The addresses of the built files that the document names. */
export interface PageAssets {
  /** The entry, `main.ts`. */
  readonly entry: string;
  readonly stylesheets: readonly string[];
  /** The fonts of the first screen. */
  readonly fonts: readonly string[];
  /** The modules that the entry imports. */
  readonly entryModules: readonly string[];
  /** `entry-client.tsx` and what else it imports: React, the query library, the app. */
  readonly clientModules: readonly string[];
}

/** A screen that the server rendered. */
interface RenderedScreen {
  readonly title: string;
  readonly html: string;
  /** The data block, from `serializeSsrData`. */
  readonly data: string;
}

/**
 * Renders the HTML document. The browser hydrates `#root` only, so the screen is a React tree of its own: the ids of
 * `useId` depend on an element's place in its tree.
 * @param screen the screen of a server-rendered page, or null for the plain page, which the browser renders
 */
export async function renderDocument(assets: PageAssets, screen: RenderedScreen | null): Promise<string> {
  const head = await toHtml(<Head assets={assets} screen={screen} />);
  const root = screen?.html ?? (await toHtml(<header className="opening">{APP_NAME}</header>));
  const afterRoot = await toHtml(<AfterRoot screen={screen} />);
  return `<!doctype html><html lang="en"><head>${head}</head><body><div id="root">${root}</div>${afterRoot}</body></html>`;
}

/** The contents of `<head>`. A stylesheet with a precedence comes before everything else that a browser requests. */
function Head({ assets, screen }: { assets: PageAssets; screen: RenderedScreen | null }) {
  // A rendered page needs React only after its paint. Preloading it would delay the leading photograph.
  const modules = screen === null ? [...assets.entryModules, ...assets.clientModules] : assets.entryModules;
  return (
    <>
      <meta charSet="utf-8" />
      <meta
        name="viewport"
        content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
      />
      <meta name="color-scheme" content="light dark" />
      <meta name="description" content="Our date ideas, our dates, our photographs." />
      <title>{screen?.title ?? APP_NAME}</title>
      <meta name="theme-color" id="light" media="(prefers-color-scheme: light)" content={THEME_COLORS.light} />
      <meta name="theme-color" id="dark" media="(prefers-color-scheme: dark)" content={THEME_COLORS.dark} />
      <link rel="icon" type="image/svg+xml" href="/icon.svg" />
      <link rel="apple-touch-icon" href="/icons/apple-touch-icon.png" />
      <link rel="manifest" href="/manifest.webmanifest" />
      {assets.stylesheets.map((href) => (
        <link key={href} rel="stylesheet" href={href} precedence="default" />
      ))}
      <script type="module" async src={assets.entry} />
      {assets.fonts.map((href) => (
        <link key={href} rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={href} />
      ))}
      {modules.map((href) => (
        <link key={href} rel="modulepreload" href={href} />
      ))}
    </>
  );
}

/** What follows `#root` in the body. React does not escape a script's text; `serializeSsrData` made it safe. */
function AfterRoot({ screen }: { screen: RenderedScreen | null }) {
  return (
    <>
      {screen && (
        <script type="application/json" id={SSR_DATA_ID}>
          {screen.data}
        </script>
      )}
      <noscript>{`${APP_NAME} needs JavaScript.`}</noscript>
    </>
  );
}
