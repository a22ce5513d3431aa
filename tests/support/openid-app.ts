import type { Engine } from './engines.ts';
import { freePorts } from './free-ports.ts';
import { OpenIdBrowser } from './openid-browser.ts';
import { type OpenIdProvider, startOpenIdProvider } from './openid-provider.ts';
import { startTestApp, type TestApp, type TestAppOptions } from './test-app.ts';

/** A server with a real OpenID provider beside it. */
export interface OpenIdApp {
  readonly app: TestApp;
  readonly provider: OpenIdProvider;
  browser(): OpenIdBrowser;
  close(): Promise<void>;
}

/** Starts both. The server's address is known before it listens, because the provider has to know it. */
export async function startOpenIdApp(engine: Engine, options: TestAppOptions = {}): Promise<OpenIdApp> {
  const [port = 0] = await freePorts(1);
  const provider = await startOpenIdProvider(`http://127.0.0.1:${port}`);
  const app = await startTestApp(engine, {
    ...options,
    env: { ...provider.env, PORT: String(port), ...options.env },
  });
  return {
    app,
    provider,
    browser: () => new OpenIdBrowser(app),
    close: async () => {
      await app.close();
      await provider.stop();
    },
  };
}
