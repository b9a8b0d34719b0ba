export { describeExit } from "./child.ts";
export { type Children, noProcessHere, openChildren } from "./children.ts";
export { launch, mayLaunch } from "./launch.ts";
export { onceWorked } from "./worked.ts";
