/**
 * In the browser's build these replace `prop-types`, with which @mdi/react describes its properties
 * (`vite.config.ts`). React's production build reads no such description, and form pages have few bytes left
 * (R-11.11).
 */
const unchecked = { isRequired: undefined };
export const [bool, node, number, object, string] = Array<typeof unchecked>(5).fill(unchecked);
export const arrayOf = () => unchecked;
export const oneOfType = () => unchecked;
