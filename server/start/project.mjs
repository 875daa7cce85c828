import { fileURLToPath } from "node:url";

/** Everything below is relative to the project, wherever the command was started. */
process.chdir(fileURLToPath(new URL("../..", import.meta.url)));

// React chooses its production build by this.
process.env.NODE_ENV ??= "production";
