import "./project.mjs";
import { writeStamp } from "./stamp.mjs";

writeStamp();
