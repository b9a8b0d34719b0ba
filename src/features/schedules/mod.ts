export { makeDue } from "./make_due.ts";
export { type FolderRuns, processFolder, processFolderDue } from "./process_folder.ts";
export { folderTask } from "./tasks.ts";
