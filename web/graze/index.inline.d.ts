import type { Graze } from "./index.js";

export * from "./index.js";

/** The module is in the script: nothing is fetched. */
export function createGraze(): Promise<Graze>;
