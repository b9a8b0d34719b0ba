export const INVOICE = "/rsm:CrossIndustryInvoice";
export const DOCUMENT = `${INVOICE}/rsm:ExchangedDocument`;
export const TRANSACTION = `${INVOICE}/rsm:SupplyChainTradeTransaction`;
export const AGREEMENT = `${TRANSACTION}/ram:ApplicableHeaderTradeAgreement`;
export const DELIVERY = `${TRANSACTION}/ram:ApplicableHeaderTradeDelivery`;
export const SETTLEMENT = `${TRANSACTION}/ram:ApplicableHeaderTradeSettlement`;
export const LINE = `${TRANSACTION}/ram:IncludedSupplyChainTradeLineItem`;
export const LINE_SETTLEMENT = `${LINE}/ram:SpecifiedLineTradeSettlement`;
