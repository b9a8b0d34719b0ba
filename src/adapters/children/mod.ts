export { type Children, type ChildrenOptions, noProcessHere, openChildren } from "./children.ts";
export { launch, mayLaunch, type Program } from "./launch.ts";
