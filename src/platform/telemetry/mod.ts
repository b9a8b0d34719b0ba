export { scrapeDoor } from "./scrape.ts";
export { INSTALLATION_LEVELS, installationLevels } from "./views.ts";
