// Transition table
export {};
