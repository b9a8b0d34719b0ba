export {
  beginTurn,
  type ConversationTurn,
  CUT_OFF,
  keepTurnAlive,
  saveMessage,
} from "./hold_turn.ts";
export { pruneConversations, readMessages } from "./store.ts";
export {
  type CallPart,
  type ConversationMessage,
  type ConversationPart,
  type Decision,
  type FinishReason,
  getCalls,
  hasRunCall,
  isCall,
  type MessageUsage,
} from "./message.ts";
export { callView, partView, showConversation } from "./show_conversation.ts";
