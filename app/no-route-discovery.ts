/**
 * In the browser's build these replace the module of @remix-run/react that finds routes while links are
 * shown (`vite.config.ts`). The site knows all its routes (`v3_lazyRouteDiscovery` is off), and the
 * module is more than a kilobyte of each form page.
 */
export const isFogOfWarEnabled = () => false;
export const getPartialManifest = () => undefined;
export const getPatchRoutesOnNavigationFunction = () => undefined;
export const useFogOFWarDiscovery = () => undefined;
