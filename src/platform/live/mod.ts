export { countConnection } from "./places.ts";
export { liveDoor } from "./socket_wire.ts";
