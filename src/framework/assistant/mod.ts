export { pruneConversations } from "./conversations/mod.ts";
