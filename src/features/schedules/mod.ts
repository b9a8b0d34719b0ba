export { makeDue } from "./make_due.ts";
export { type FolderRuns, processFolder } from "./process_folder.ts";
export { folderTask } from "./tasks.ts";
