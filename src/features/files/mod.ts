export { forgetQuotas } from "./upload_store.ts";
