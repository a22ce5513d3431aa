/** The eight categories in the order of the menu. `value` is also the name; one has a different display name. */
export const CATEGORIES = [
  { value: 'Romantic', name: 'Romantic', displayName: 'Romantic' },
  { value: 'Outdoor', name: 'Outdoor', displayName: 'Outdoor' },
  { value: 'Indoor', name: 'Indoor', displayName: 'Indoor' },
  { value: 'Adventure', name: 'Adventure', displayName: 'Adventure' },
  { value: 'Food', name: 'Food', displayName: 'Food & Dining' },
  { value: 'Cultural', name: 'Cultural', displayName: 'Cultural' },
  { value: 'Relaxing', name: 'Relaxing', displayName: 'Relaxing' },
  { value: 'Active', name: 'Active', displayName: 'Active' },
] as const;

export type CategoryValue = (typeof CATEGORIES)[number]['value'];

/** The display name of a category, or 'Unknown'. */
export function categoryName(value: string): string {
  return CATEGORIES.find((category) => category.value === value)?.displayName ?? 'Unknown';
}

/** Finds the category in a path, ignoring case, or null. */
export function findCategory(raw: string): CategoryValue | null {
  return CATEGORIES.find((category) => category.value.toLowerCase() === raw.toLowerCase())?.value ?? null;
}
