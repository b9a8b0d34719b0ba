export { type Children, type ChildrenOptions, openChildren, type Request } from "./children.ts";
export { type Launch, launch, type Program } from "./launch.ts";
