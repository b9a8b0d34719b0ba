export { describeExit } from "./child.ts";
export { noProcessHere, openChildren } from "./children.ts";
export { launch, mayLaunch } from "./launch.ts";
export { onceWorked } from "./worked.ts";
