export { countSubmitted } from "./overview_views.ts";
