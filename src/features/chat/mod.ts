export { askModel, modelFor, type ModelNeeds } from "./ask_model.ts";
