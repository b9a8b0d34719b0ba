export { beginTurn, CUT_OFF, keepTurnAlive, saveMessage, type Turn } from "./hold_turn.ts";
export { forgetConversations, messagesOf } from "./store.ts";
export {
  type CallPart,
  callsOf,
  type Decision,
  type FinishReason,
  isCall,
  type Message,
  type MessageUsage,
  type Part,
} from "./message.ts";
export { callView, partView, showConversation } from "./show_conversation.ts";
