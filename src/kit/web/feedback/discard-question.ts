/** Asked before something is discarded that exists only on this device. */
export const DISCARD_QUESTION = { question: 'Discard this? It has not been saved anywhere else.', verb: 'Discard' };
