/**
 * Returns whether the app can only be installed by hand: in a tab on an iPhone or iPad. Their browsers have no install
 * prompt, allow push messages only to apps on the home screen, and are the only ones with `navigator.standalone`.
 */
export function canOnlyInstallByHand(): boolean {
  return (navigator as { readonly standalone?: boolean }).standalone === false;
}
