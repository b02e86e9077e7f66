/** How a document is shown while it is written. */
export type View = 'form' | 'json' | 'both';
