/** The length limits of an idea, in code points. Only the add form checks the minimum. */
export const ideaLimits = { titleMin: 3, title: 200, description: 1000 } as const;
