/** How long a search may be (code points), and how many results of each kind a reply has. */
export const searchLimits = { query: 200, default: 20, max: 50 } as const;
