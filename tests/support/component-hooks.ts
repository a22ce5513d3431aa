import '../../src/base/web/theme.css';
import { beforeEach } from 'vitest';
import { utils } from 'vitest/browser';

// An error of a locator shows the whole screen. A poll makes one at each look, so the screen is printed once, and only after
// a failure.
const showInErrors = (maxLength: number) => utils.configurePrettyDOM({ maxLength });
showInErrors(0);
// All files share one device: what a test has left there, such as the order of the gallery, is not for the next one.
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

beforeEach(({ onTestFailed }) => {
  onTestFailed(() => {
    showInErrors(10_000);
    utils.debug(document.body);
    showInErrors(0);
  });
});
