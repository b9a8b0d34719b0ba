export { showConnections, type ShownConnection } from "./show_connections.ts";
