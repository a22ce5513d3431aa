/** The most values in one statement. SQLite accepts about 2,000 more, so that a batch may end with the row that passes it. */
export const MOST_VALUES = 30_000;
