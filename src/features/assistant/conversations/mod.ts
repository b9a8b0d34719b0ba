export {
  beginTurn,
  CUT_OFF,
  keepTurnAlive,
  saveMessage,
  type Turn,
  type TurnRequest,
} from "./hold_turn.ts";
export { forgetConversations, messagesOf } from "./store.ts";
export {
  type CallPart,
  callsOf,
  type Decision,
  DECISIONS,
  type FinishReason,
  isCall,
  type Message,
  type MessageUsage,
  type Part,
} from "./message.ts";
export { callView, messageView, partView, showConversation } from "./show_conversation.ts";
