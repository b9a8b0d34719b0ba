export { forgetConversations } from "./conversations/mod.ts";
