export { type FolderRuns, processFolder } from "./process_folder.ts";
