// Conformance kit
export {};
