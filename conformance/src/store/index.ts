// Store suite
export {};
