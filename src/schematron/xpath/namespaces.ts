export const FN = "http://www.w3.org/2005/xpath-functions";
export const XS = "http://www.w3.org/2001/XMLSchema";
export const XSL = "http://www.w3.org/1999/XSL/Transform";
