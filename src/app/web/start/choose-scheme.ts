/*
 * Applies the color scheme that was chosen on this device before the first paint. The page loads it as a classic script,
 * which browsers run before they paint, so it imports nothing; `applyAppearance` does the rest.
 */
try {
  document.documentElement.dataset['scheme'] = localStorage.getItem('appearance') ?? 'device';
} catch {
  // Without storage, the device decides.
}
