/**
 * What the names of the browser's drafts begin with: each person has their own, so that nobody who signs
 * in later in the same tab meets them. The uid in the address of the thread's page follows.
 */
export const draftPrefix = (owner: string) => `draft:${owner}:`;
