import { createContext } from 'react';

/** The class of labels, where they look different than in a form: `ListTools` hides them on phones. */
export const LabelClass = createContext<string | undefined>(undefined);
