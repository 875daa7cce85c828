export function hasSources(): boolean;
export function isFresh(): boolean;
export function writeStamp(): void;
