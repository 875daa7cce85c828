import "./start/project.mjs";
import { ensureBuilt } from "./start/build.mjs";

ensureBuilt();
await import("../build/host/index.js");
