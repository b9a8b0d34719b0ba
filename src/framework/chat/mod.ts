export { askModel, modelFor } from "./ask_model.ts";
