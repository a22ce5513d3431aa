declare const APP_VERSION: string;

/** The version of the page: `1.0.0`. vite.config.ts takes it from package.json. */
export const pageVersion = APP_VERSION;
